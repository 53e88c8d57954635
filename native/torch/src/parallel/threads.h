// Work among libtorch's threads. The files here know nothing else of it, because its headers take long to compile.
#pragma once
#include <cstdint>

namespace keras {

// Whether ops of our own run on several threads at all: libtorch's headers share work out only where the compiler knows OpenMP.
bool sharesWork();
// How many threads work could be shared out to here: 1 for what is a share itself.
int64_t threadsAtHand();

using WorkOnPart = void (*)(const void* work, int64_t begin, int64_t end);
void runOnThreads(int64_t begin, int64_t end, int64_t grain, WorkOnPart run, const void* work);

// Calls `work(begin, end)` for parts of the range, each at least `grain` long if there are several. Exceptions get out.
template <typename Work>
void parallelFor(int64_t begin, int64_t end, int64_t grain, const Work& work) {
  runOnThreads(
      begin, end, grain, [](const void* of, int64_t from, int64_t to) { (*static_cast<const Work*>(of))(from, to); }, &work);
}

}  // namespace keras
