// Vectors of eight floats for the loops of convolutions, in two registers where those hold four.
#pragma once
#include "loops/lanes.h"

// On x86 these loops are compiled for processors with AVX2 and FMA whatever the rest is compiled for.
#if defined(__x86_64__)
#define KERAS_WIDE __attribute__((target("avx2,fma")))
#else
#define KERAS_WIDE
#endif

namespace keras {

using Vector = Eight::Floats;
constexpr int64_t vectorWidth = Eight::width;

}  // namespace keras
