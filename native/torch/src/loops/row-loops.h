// Sums and softmax of small arrays, where libtorch's way of calling its loops takes longer than the loops.
#pragma once
#include <cstdint>

namespace keras {

// Widest rows that `softmaxRows` takes.
constexpr int64_t softmaxWidth = 64;

// Softmax, or its logarithm, of rows of `width` elements.
void softmaxRows(const float* x, int64_t rows, int64_t width, bool logarithm, float* to);

// to[o, i] = the sum of x[o, c, i] over `count` elements c. `sums` holds `inner` doubles.
void sumMiddle(const float* x, int64_t outer, int64_t count, int64_t inner, double* sums, float* to);

// x to the power of y, element by element; an operand of one element is used for all.
void powers(const float* x, bool oneX, const float* y, bool oneY, int64_t count, float* to);

}  // namespace keras
