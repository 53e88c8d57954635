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

KERAS_INLINE float expOf(float x) {
  x = x > 89.f ? 89.f : x;
  x = x < -104.f ? -104.f : x;
  // Adding and taking away 1.5 * 2^23 rounds to the nearest integer, whose bits are then the lowest of the sum.
  const float shifted = x * 1.44269504088896341f + 12582912.f;
  const int32_t n = bitsOfFloat(shifted) - 0x4b400000;
  const float whole = shifted - 12582912.f;
  const float r = (x - whole * 0.693359375f) - whole * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r + 1.f;
  // Two factors, because 2^n itself may lie outside the normal floats.
  const int32_t half = n >> 1;
  return p * floatOfBits((half + 127) << 23) * floatOfBits((n - half + 127) << 23);
}

KERAS_INLINE float logOf(float x) {
  const bool tiny = x < 1.17549435e-38f;
  const float scaled = tiny ? x * 8388608.f : x;
  const int32_t bits = bitsOfFloat(scaled);
  int32_t exponent = ((bits >> 23) & 0xff) - 126 - (tiny ? 23 : 0);
  float m = floatOfBits((bits & 0x007fffff) | 0x3f000000);
  const bool small = m < 0.707106781186547524f;
  exponent -= small ? 1 : 0;
  m = (small ? m + m : m) - 1.f;
  const float e = static_cast<float>(exponent);
  const float square = m * m;
  float p = 7.0376836292e-2f;
  p = p * m - 1.1514610310e-1f;
  p = p * m + 1.1676998740e-1f;
  p = p * m - 1.2420140846e-1f;
  p = p * m + 1.4249322787e-1f;
  p = p * m - 1.6668057665e-1f;
  p = p * m + 2.0000714765e-1f;
  p = p * m - 2.4999993993e-1f;
  p = p * m + 3.3333331174e-1f;
  p = p * m * square + e * -2.12194440e-4f;
  p -= 0.5f * square;
  const float result = m + p + e * 0.693359375f;
  const float infinity = floatOfBits(0x7f800000);
  const float edge = x == 0.f ? -infinity : (x == infinity ? infinity : floatOfBits(0x7fc00000));
  return (x > 0.f) & (x < infinity) ? result : edge;
}

KERAS_INLINE float sigmoidOf(float x) { return 1.f / (1.f + expOf(-x)); }

KERAS_INLINE float tanhOf(float x) {
  const float size = __builtin_fabsf(x);
  const float square = x * x;
  float p = -5.70498872745e-3f;
  p = p * square + 2.06390887954e-2f;
  p = p * square - 5.37397155531e-2f;
  p = p * square + 1.33314422036e-1f;
  p = p * square - 3.33332819422e-1f;
  const float near = p * square * x + x;
  const float far = 1.f - 2.f / (expOf(size + size) + 1.f);
  return __builtin_copysignf(size < 0.625f ? near : far, x);
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
