#include "loops/pool-loops.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3")
#endif

#include <algorithm>

#include "loops/wide.h"
#include "loops/lanes.h"

namespace keras {

namespace {

// A window's elements inside of the image: where the window starts, how far from there they lie, and how many.
struct Window {
  const int64_t* offsets;
  int64_t count, start;
};

// `Count` times as many channels as there are lanes, all in registers: the largest, and where in the window it was.
template <typename Lanes, int Count>
struct Largest {
  typename Lanes::Floats most[Count];
  typename Lanes::Ints place[Count];

  KERAS_INLINE void find(const float* x, Window window) {
    using Floats = typename Lanes::Floats;
    using Ints = typename Lanes::Ints;
    for (int k = 0; k < Count; k++) {
      most[k] = lying<Floats>(x + window.offsets[0] + k * Lanes::width).value;
      place[k] = Ints{};
    }
    for (int32_t p = 1; p < window.count; p++) {
      const float* values = x + window.offsets[p];
      const Ints here = Ints{} + p;
      for (int k = 0; k < Count; k++) {
        const Floats v = lying<Floats>(values + k * Lanes::width).value;
        const auto better = (v > most[k]) | (v != v);
        most[k] = better ? v : most[k];
        place[k] = better ? here : place[k];
      }
    }
  }
};

struct Maximum {
  const float* x;
  float* y;

  template <typename Lanes, int Count>
  KERAS_INLINE void visit(Window window, int64_t result, int64_t channel) const {
    using Floats = typename Lanes::Floats;
    Largest<Lanes, Count> largest;
    if (window.count == 0)
      for (int k = 0; k < Count; k++) largest.most[k] = Floats{} - __builtin_inff();
    else largest.find(x + window.start + channel, window);
    for (int k = 0; k < Count; k++) lying<Floats>(y + result + channel + k * Lanes::width).value = largest.most[k];
  }
};

template <bool Adds>
struct Gradient {
  const float* x;
  const float* g;
  float* dx;

  template <typename Lanes, int Count>
  KERAS_INLINE void visit(Window window, int64_t result, int64_t channel) const {
    using Floats = typename Lanes::Floats;
    // Windows in the padding alone have no element to give to.
    if (window.count == 0) return;
    Largest<Lanes, Count> largest;
    largest.find(x + window.start + channel, window);
    Floats above[Count];
    for (int k = 0; k < Count; k++) above[k] = lying<Floats>(g + result + channel + k * Lanes::width).value;
    for (int32_t p = 0; p < window.count; p++) {
      for (int k = 0; k < Count; k++) {
        float* to = dx + window.start + window.offsets[p] + channel + k * Lanes::width;
        const Floats part = largest.place[k] == p ? above[k] : Floats{};
        lying<Floats>(to).value = Adds ? lying<Floats>(to).value + part : part;
      }
    }
  }
};

// The part of a window that lies inside of the image, seen from the window's first element.
struct Inside {
  int64_t firstY = 0, endY = -1, firstX = 0, endX = -1;

  bool operator==(const Inside& other) const {
    return firstY == other.firstY && endY == other.endY && firstX == other.firstX && endX == other.endX;
  }
};

// `Lanes` and `Together`: channels at once, and how many times that where there are enough.
template <typename Lanes, int Together, typename Visitor>
KERAS_INLINE void eachWindow(const Pooling& p, int64_t begin, int64_t end, int64_t* offsets, Visitor visitor) {
  Inside known;
  Window window{offsets, 0, 0};
  for (int64_t row = begin; row < end; row++) {
    const int64_t n = row / p.outHeight, y = row % p.outHeight * p.strideHeight - p.top;
    for (int64_t j = 0; j < p.outWidth; j++) {
      const int64_t x = j * p.strideWidth - p.left;
      const Inside inside{std::max<int64_t>(-y, 0), std::min(p.windowHeight, p.height - y), std::max<int64_t>(-x, 0),
                          std::min(p.windowWidth, p.width - x)};
      if (!(inside == known)) {
        known = inside;
        window.count = 0;
        for (int64_t i = inside.firstY; i < inside.endY; i++)
          for (int64_t k = inside.firstX; k < inside.endX; k++)
            offsets[window.count++] = (i * p.width + k) * p.channels;
      }
      const int64_t result = (row * p.outWidth + j) * p.channels;
      window.start = n * p.imageSize() + (y * p.width + x) * p.channels;
      int64_t c = 0;
      if (Together > 1)
        for (; c + Together * Lanes::width <= p.channels; c += Together * Lanes::width)
          visitor.template visit<Lanes, Together>(window, result, c);
      for (; c + Lanes::width <= p.channels; c += Lanes::width) visitor.template visit<Lanes, 1>(window, result, c);
      for (; c < p.channels; c++) visitor.template visit<One, 1>(window, result, c);
    }
  }
}

// Written out for both kinds of processors, since vectors that a processor has not got make code several times as long.
#if defined(__x86_64__)
template <typename Visitor>
KERAS_WIDE void eachWindowWide(const Pooling& p, int64_t begin, int64_t end, int64_t* offsets, Visitor visitor) {
  eachWindow<Eight, 4>(p, begin, end, offsets, visitor);
}
#endif

template <typename Visitor>
void eachWindowHere(const Pooling& p, int64_t begin, int64_t end, int64_t* offsets, Visitor visitor) {
#if defined(__x86_64__)
  if (hasWideVectors()) return eachWindowWide(p, begin, end, offsets, visitor);
#endif
  eachWindow<Four, 1>(p, begin, end, offsets, visitor);
}

}  // namespace

void poolMaximum(const Pooling& pooling, int64_t begin, int64_t end, const float* x, float* y, int64_t* offsets) {
  eachWindowHere(pooling, begin, end, offsets, Maximum{x, y});
}

void poolGradient(const Pooling& pooling, int64_t begin, int64_t end, const float* x, const float* g, float* dx,
                  int64_t* offsets) {
  if (pooling.overlaps()) eachWindowHere(pooling, begin, end, offsets, Gradient<true>{x, g, dx});
  else eachWindowHere(pooling, begin, end, offsets, Gradient<false>{x, g, dx});
}

}  // namespace keras

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
