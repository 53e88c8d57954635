// Settings of the process: memory, threads, devices.
#include "environment.h"

#include <ATen/Parallel.h>
#include <ATen/detail/CUDAHooksInterface.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace keras {

namespace {

std::atomic<int> chosenThreads{0};

bool isOff(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && std::strcmp(value, "0") == 0;
}

// glibc maps large blocks one by one and gives each back when it is freed; a training step then spends a quarter of
// its time on page faults. With both thresholds raised, freed blocks are used again. The second one is needed with the
// first: without it the heap's end is given back instead. KERAS_TORCH_MALLOC=0 leaves glibc as it is.
void keepFreedMemory() {
#ifdef __GLIBC__
  if (isOff("KERAS_TORCH_MALLOC")) return;
  // Older versions refuse more than half of their largest heap.
  if (mallopt(M_MMAP_THRESHOLD, 1 << 30) == 0) mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 0x7fffffff);
#endif
}

// libtorch takes the number of physical cores it believes in, and others what OMP_NUM_THREADS says; here it is all
// that the process may use, or what KERAS_TORCH_THREADS says.
int initialThreads() {
  if (const char* value = std::getenv("KERAS_TORCH_THREADS")) {
    int count = std::atoi(value);
    if (count > 0) return count;
  }
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

napi_value setThreads(Call& call) {
  int64_t count = integer(call.env, call[0], "The number of threads");
  if (count < 1 || count > 4096) throw Misuse("The number of threads must be 1 to 4096.");
  chosenThreads = static_cast<int>(count);
  at::set_num_threads(static_cast<int>(count));
  return undefined(call.env);
}

napi_value threads(Call& call) { return fromNumber(call.env, threadCount()); }

napi_value cudaAvailable(Call& call) {
  napi_value result;
  check(call.env, napi_get_boolean(call.env, at::detail::getCUDAHooks().hasCUDA(), &result));
  return result;
}

}  // namespace

int threadCount() { return chosenThreads; }

void applySettings() {
  static std::once_flag once;
  std::call_once(once, [] {
    keepFreedMemory();
    chosenThreads = initialThreads();
  });
  at::set_num_threads(threadCount());
}

std::vector<Export> settingExports() {
  return {{"setThreads", guarded<setThreads>}, {"threads", guarded<threads>}, {"cudaAvailable", guarded<cudaAvailable>}};
}

}  // namespace keras
