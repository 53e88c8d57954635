// Vectors of eight floats, in two registers where those hold four.
#pragma once
#include "loops/lanes.h"

// On x86 the loops that are marked so are compiled for processors with AVX2 and FMA whatever the rest is compiled for;
// `hasWideVectors` tells whether this is one.
#if defined(__x86_64__)
#define KERAS_WIDE __attribute__((target("avx2,fma")))
#else
#define KERAS_WIDE
#endif

namespace keras {

using Vector = Eight::Floats;
constexpr int64_t vectorWidth = Eight::width;

inline bool hasWideVectors() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
#else
  return false;
#endif
}

}  // namespace keras
