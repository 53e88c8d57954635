// Products of float matrices on one thread, for processors with eight lanes and fused multiply-add.
#pragma once
#include <cstdint>

namespace keras {

// Elements [i, j] at data[i * row + j * column].
struct GemmMatrix {
  const float* data;
  int64_t row, column;
};

// Whether this processor has what the loops need; without it they must not be called.
bool hasGemm();

// Floats that a product of this length needs to work in, aligned to 64 bytes.
int64_t gemmScratch(int64_t k);

// c[m, n] = a[m, k] * b[k, n], where nothing is empty and c has rows that lie `row` apart. Each element is added up in
// an order that depends on k alone, so that a product may be cut along m and n at will.
void gemm(int64_t m, int64_t n, int64_t k, GemmMatrix a, GemmMatrix b, float* c, int64_t row, float* scratch);

}  // namespace keras
