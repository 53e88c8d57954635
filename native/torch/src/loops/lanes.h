// Eight numbers at once, by vectors that compilers turn into the registers of the processor they compile for. Loops with
// conditions are better written with them: left alone, g++ makes masked stores of these, which cost some processors a
// hundred cycles.
#pragma once
#include <cstdint>

#include "targets.h"

namespace keras {

struct Eight {
  typedef float Floats __attribute__((vector_size(32)));
  typedef int32_t Ints __attribute__((vector_size(32)));
  static constexpr int64_t width = 8;
};
// The same for what is left over.
struct Four {
  typedef float Floats __attribute__((vector_size(16)));
  typedef int32_t Ints __attribute__((vector_size(16)));
  static constexpr int64_t width = 4;
};
struct One {
  typedef float Floats;
  typedef int32_t Ints;
  static constexpr int64_t width = 1;
};

// Lanes in memory, aligned to nothing. Vectors are no arguments and results of functions, even of inlined ones: how these
// would be passed depends on the processor, and compilers warn of it.
template <typename Value>
struct __attribute__((packed, may_alias)) Lying {
  Value value;
};
template <typename Value>
KERAS_INLINE const Lying<Value>& lying(const float* at) {
  return *reinterpret_cast<const Lying<Value>*>(at);
}
template <typename Value>
KERAS_INLINE Lying<Value>& lying(float* at) {
  return *reinterpret_cast<Lying<Value>*>(at);
}

}  // namespace keras
