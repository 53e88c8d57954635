// Max pooling of one window, over the channels that lie next to each other.
#pragma once
#include <cstdint>

namespace keras {

// Most channels that are looked at together.
constexpr int64_t poolLanes = 128;

// Elements of a window: where they lie, and how many.
struct PoolWindow {
  const int64_t* offsets;
  int64_t count;
};

// The largest of each channel; NaN is larger than everything, and nothing gives -infinity.
void poolMaximum(const float* from, PoolWindow window, int64_t channels, float* to);
// The gradient at every element of a window that has some: `g` where the channel's largest was found first, else 0.
// `add` adds to what is there, for windows that overlap.
void poolGradient(const float* from, PoolWindow window, int64_t channels, const float* g, float* to, bool add);

}  // namespace keras
