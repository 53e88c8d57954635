// Elementary functions in plain arithmetic, so that the compiler vectorizes loops over them; errors are of one or two ulp.
// Builtins rather than <cmath>, whose inline functions keep the options of their header. Polynomials: Moshier, Cephes mathematical library (single precision).
#pragma once

#include <cstdint>
#include <cstring>

#include "targets.h"

namespace keras {

KERAS_INLINE float floatOfBits(int32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
KERAS_INLINE int32_t bitsOfFloat(float value) {
  int32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

KERAS_INLINE float choose(bool test, float yes, float no) { return test ? yes : no; }
KERAS_INLINE int32_t choose(bool test, int32_t yes, int32_t no) { return test ? yes : no; }
KERAS_INLINE float toFloat(int32_t value) { return static_cast<float>(value); }
KERAS_INLINE float sizeOf(float value) { return __builtin_fabsf(value); }
KERAS_INLINE float withSign(float value, float sign) { return __builtin_copysignf(value, sign); }

// `Float` is float, or what records the steps of a computation; with it go integers and bools.

template <typename Float>
KERAS_INLINE Float expOf(Float x) {
  x = choose(x > 89.f, 89.f, x);
  x = choose(x < -104.f, -104.f, x);
  // Adding and taking away 1.5 * 2^23 rounds to the nearest integer, whose bits are then the lowest of the sum.
  const Float shifted = x * 1.44269504088896341f + 12582912.f;
  const auto n = bitsOfFloat(shifted) - 0x4b400000;
  const Float whole = shifted - 12582912.f;
  const Float r = (x - whole * 0.693359375f) - whole * -2.12194440e-4f;
  Float p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r + 1.f;
  // Two factors, because 2^n itself may lie outside the normal floats.
  const auto half = n >> 1;
  return p * floatOfBits((half + 127) << 23) * floatOfBits((n - half + 127) << 23);
}

template <typename Float>
KERAS_INLINE Float logOf(Float x) {
  const auto tiny = x < 1.17549435e-38f;
  const Float scaled = choose(tiny, x * 8388608.f, x);
  const auto bits = bitsOfFloat(scaled);
  auto exponent = ((bits >> 23) & 0xff) - choose(tiny, 149, 126);
  Float m = floatOfBits((bits & 0x007fffff) | 0x3f000000);
  const auto small = m < 0.707106781186547524f;
  exponent = exponent - choose(small, 1, 0);
  m = choose(small, m + m, m) - 1.f;
  const Float e = toFloat(exponent);
  const Float square = m * m;
  Float p = m * 7.0376836292e-2f - 1.1514610310e-1f;
  p = p * m + 1.1676998740e-1f;
  p = p * m - 1.2420140846e-1f;
  p = p * m + 1.4249322787e-1f;
  p = p * m - 1.6668057665e-1f;
  p = p * m + 2.0000714765e-1f;
  p = p * m - 2.4999993993e-1f;
  p = p * m + 3.3333331174e-1f;
  p = p * m * square + e * -2.12194440e-4f;
  p = p - square * 0.5f;
  const Float result = m + p + e * 0.693359375f;
  const float infinity = floatOfBits(0x7f800000);
  const Float edge = choose(x == 0.f, -infinity, choose(x == infinity, infinity, floatOfBits(0x7fc00000)));
  return choose((x > 0.f) & (x < infinity), result, edge);
}

template <typename Float>
KERAS_INLINE Float sigmoidOf(Float x) {
  return 1.f / (expOf(-x) + 1.f);
}

template <typename Float>
KERAS_INLINE Float tanhOf(Float x) {
  const Float size = sizeOf(x);
  const Float square = x * x;
  Float p = square * -5.70498872745e-3f + 2.06390887954e-2f;
  p = p * square - 5.37397155531e-2f;
  p = p * square + 1.33314422036e-1f;
  p = p * square - 3.33332819422e-1f;
  const Float near = p * square * x + x;
  const Float far = 1.f - 2.f / (expOf(size + size) + 1.f);
  return withSign(choose(size < 0.625f, near, far), x);
}

// Nearest integer value, halves to even; larger floats are integers already.
KERAS_INLINE float roundOf(float x) {
  const float size = __builtin_fabsf(x);
  const float rounded = (size + 8388608.f) - 8388608.f;
  const float result = size < 8388608.f ? rounded : size;
  return __builtin_copysignf(result, x);
}

// C's conversion, but saturating, and 0 for NaN.
KERAS_INLINE int32_t intOf(float x) {
  const float inside = (x > -2147483648.f) & (x < 2147483648.f) ? x : 0.f;
  const int32_t converted = static_cast<int32_t>(inside);
  return x >= 2147483648.f ? INT32_MAX : (x <= -2147483648.f ? INT32_MIN : converted);
}

}  // namespace keras
