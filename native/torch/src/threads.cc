#include "parallel/threads.h"

#include <ATen/Parallel.h>

namespace keras {

bool sharesWork() {
#ifdef INTRA_OP_PARALLEL
  return true;
#else
  return false;
#endif
}

int64_t threadsAtHand() { return at::in_parallel_region() ? 1 : at::get_num_threads(); }

void runOnThreads(int64_t begin, int64_t end, int64_t grain, WorkOnPart run, const void* work) {
  at::parallel_for(begin, end, grain, [=](int64_t from, int64_t to) { run(work, from, to); });
}

}  // namespace keras
