#include "loops/row-loops.h"

#include <cmath>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3", "no-trapping-math")
#endif

#include "loops/chain-math.h"
#include "targets.h"

namespace keras {

// Rows that are computed together, one in each lane.
constexpr int64_t softmaxRowsTogether = 32;

KERAS_CLONES void softmaxRows(const float* x, int64_t rows, int64_t width, bool logarithm, float* to) {
  constexpr int64_t together = softmaxRowsTogether;
  float values[softmaxWidth * together], most[together], sum[together];
  for (int64_t start = 0; start < rows; start += together) {
    const int64_t count = rows - start < together ? rows - start : together;
    const float* from = x + start * width;
    // The lanes of rows that are not there compute with the last row.
    for (int64_t r = 0; r < together; r++)
      for (int64_t j = 0; j < width; j++) values[j * together + r] = from[(r < count ? r : count - 1) * width + j];
    for (int64_t r = 0; r < together; r++) {
      most[r] = values[r];
      sum[r] = 0.f;
    }
    for (int64_t j = 1; j < width; j++)
      for (int64_t r = 0; r < together; r++) {
        const float v = values[j * together + r];
        most[r] = (v > most[r]) | (v != v) ? v : most[r];
      }
    for (int64_t j = 0; j < width; j++)
      for (int64_t r = 0; r < together; r++) {
        const float difference = values[j * together + r] - most[r], power = expOf(difference);
        values[j * together + r] = logarithm ? difference : power;
        sum[r] += power;
      }
    for (int64_t r = 0; r < together; r++) sum[r] = logarithm ? logOf(sum[r]) : 1.f / sum[r];
    for (int64_t j = 0; j < width; j++)
      for (int64_t r = 0; r < together; r++) {
        const float v = values[j * together + r];
        values[j * together + r] = logarithm ? v - sum[r] : v * sum[r];
      }
    float* result = to + start * width;
    for (int64_t r = 0; r < count; r++)
      for (int64_t j = 0; j < width; j++) result[r * width + j] = values[j * together + r];
  }
}

KERAS_CLONES void sumMiddle(const float* x, int64_t outer, int64_t count, int64_t inner, double* sums, float* to) {
  for (int64_t o = 0; o < outer; o++, x += count * inner, to += inner) {
    if (inner == 1) {
      // Four sums at a time, none of which waits for another.
      double lanes[4] = {0, 0, 0, 0};
      int64_t c = 0;
      for (; c + 4 <= count; c += 4)
        for (int64_t lane = 0; lane < 4; lane++) lanes[lane] += static_cast<double>(x[c + lane]);
      for (; c < count; c++) lanes[0] += static_cast<double>(x[c]);
      to[0] = static_cast<float>((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]));
      continue;
    }
    for (int64_t i = 0; i < inner; i++) sums[i] = 0;
    for (int64_t c = 0; c < count; c++)
      for (int64_t i = 0; i < inner; i++) sums[i] += static_cast<double>(x[c * inner + i]);
    for (int64_t i = 0; i < inner; i++) to[i] = static_cast<float>(sums[i]);
  }
}

void powers(const float* x, bool oneX, const float* y, bool oneY, int64_t count, float* to) {
  for (int64_t i = 0; i < count; i++) to[i] = std::pow(x[oneX ? 0 : i], y[oneY ? 0 : i]);
}

}  // namespace keras

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
