// Products of float matrices of small and middle size, which libtorch's libraries are slow at.
#include <algorithm>
#include <memory>

#include "loops/gemm-loops.h"
#include "own-op.h"
#include "parallel/threads.h"

namespace keras {

namespace {

// Multiplications worth a thread.
constexpr int64_t gemmGrain = 1 << 17;

// What each of `parts` parts gets of `size`, in whole units.
int64_t shareOf(int64_t size, int64_t unit, int64_t parts) {
  const int64_t units = (size + unit - 1) / unit;
  return (units + parts - 1) / parts * unit;
}

// Into how many parts rows and columns are cut: as many as there are threads to be had, of which each reads little.
struct Cut {
  int64_t rows, columns;
};
Cut cutFor(int64_t m, int64_t n, int64_t k, bool packed) {
  const int64_t parts = std::clamp<int64_t>(m * n * k / gemmGrain, 1, threadsAtHand());
  Cut best{1, 1};
  double least = 0;
  for (int64_t rows = 1; rows <= parts; rows++) {
    const int64_t columns = parts / rows;
    const int64_t height = shareOf(m, 2, rows), width = shareOf(n, 16, columns);
    // Multiplications, and what is read and, where that helps, laid out anew, for one step along k.
    const int64_t read = (packed ? 4 * height : height) + 2 * width;
    const double cost = static_cast<double>(height * width) / 16 + static_cast<double>(read) / 4;
    if (rows == 1 || cost < least) {
      least = cost;
      best = {rows, columns};
    }
  }
  return best;
}

GemmMatrix matrixOf(const at::Tensor& tensor) { return {tensor.data_ptr<float>(), tensor.stride(0), tensor.stride(1)}; }

at::Tensor productOf(const at::Tensor& left, const at::Tensor& right) {
  const bool fits = isFloatOnCpu(left) && left.dim() == 2 && isFloatOnCpu(right) && right.dim() == 2 &&
                    left.size(1) == right.size(0);
  if (!fits || !hasGemm()) return left.mm(right);
  const int64_t m = left.size(0), k = left.size(1), n = right.size(1);
  at::Tensor result = emptyOf({m, n}, at::kFloat);
  if (m == 0 || n == 0) return result;
  float* c = result.data_ptr<float>();
  if (k == 0) {
    std::fill(c, c + m * n, 0.f);
    return result;
  }
  const GemmMatrix a = matrixOf(left), b = matrixOf(right);
  const Cut cut = cutFor(m, n, k, a.column != 1);
  const int64_t height = shareOf(m, 2, cut.rows), width = shareOf(n, 16, cut.columns);
  parallelFor(0, cut.rows * cut.columns, 1, [&](int64_t begin, int64_t end) {
    std::unique_ptr<float[]> memory(new float[static_cast<size_t>(gemmScratch(k) + 16)]);
    auto* scratch = reinterpret_cast<float*>((reinterpret_cast<uintptr_t>(memory.get()) + 63) / 64 * 64);
    for (int64_t part = begin; part < end; part++) {
      const int64_t i = part / cut.columns * height, j = part % cut.columns * width;
      if (i >= m || j >= n) continue;
      gemm(std::min(height, m - i), std::min(width, n - j), k, {a.data + i * a.row, a.row, a.column},
           {b.data + j * b.column, b.row, b.column}, c + i * n + j, n, scratch);
    }
  });
  return result;
}

void product(OwnCall& call) { call.give(productOf(call.tensor(0), call.tensor(1))); }

}  // namespace

std::vector<OwnOp> productOps() { return {{"mm(Tensor left, Tensor right) -> Tensor", product}}; }

}  // namespace keras
