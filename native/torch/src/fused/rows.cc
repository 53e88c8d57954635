// Sums, softmax and powers of small arrays.
#include "loops/row-loops.h"
#include "own-op.h"

namespace keras {

namespace {

at::Tensor prepared(const at::Tensor& tensor, const char* op) {
  if (!isFloatOnCpu(tensor)) throw Misuse(std::string(op) + ": tensors must be float32 on the CPU");
  return tensor.contiguous();
}

void softmax(OwnCall& call) {
  const at::Tensor x = prepared(call.tensor(0), "keras::softmax");
  require(x.dim() > 0 && x.size(-1) > 0 && x.size(-1) <= softmaxWidth, "keras::softmax: rows are empty or too long");
  at::Tensor result = emptyOf(x.sizes(), at::kFloat);
  softmaxRows(x.data_ptr<float>(), x.numel() / x.size(-1), x.size(-1), call.boolean(1), result.data_ptr<float>());
  call.give(std::move(result));
}

void sum(OwnCall& call) {
  const at::Tensor x = prepared(call.tensor(0), "keras::sum");
  const int64_t outer = call.integer(1), count = call.integer(2), inner = call.integer(3);
  at::Tensor result = emptyOf(call.integers(4), at::kFloat);
  const bool fits = outer >= 0 && count >= 0 && inner > 0 && x.numel() == outer * count * inner;
  require(fits && result.numel() == outer * inner, "keras::sum: the sizes do not fit the tensors");
  std::vector<double> sums(inner == 1 ? 0 : static_cast<size_t>(inner));
  sumMiddle(x.data_ptr<float>(), outer, count, inner, sums.data(), result.data_ptr<float>());
  call.give(std::move(result));
}

void power(OwnCall& call) {
  const at::Tensor x = prepared(call.tensor(0), "keras::power"), y = prepared(call.tensor(1), "keras::power");
  const bool oneX = x.numel() == 1, oneY = y.numel() == 1;
  require(x.sizes() == y.sizes() || oneX || oneY, "keras::power: tensors must have the same shape or one element");
  const at::Tensor& larger = oneX && (!oneY || y.dim() > x.dim()) ? y : x;
  at::Tensor result = emptyOf(larger.sizes(), at::kFloat);
  powers(x.data_ptr<float>(), oneX, y.data_ptr<float>(), oneY, result.numel(), result.data_ptr<float>());
  call.give(std::move(result));
}

}  // namespace

std::vector<OwnOp> rowOps() {
  return {{"softmax(Tensor x, bool logarithm) -> Tensor", softmax},
          {"sum(Tensor x, int outer, int count, int inner, int[] shape) -> Tensor", sum},
          {"power(Tensor x, Tensor y) -> Tensor", power}};
}

}  // namespace keras
