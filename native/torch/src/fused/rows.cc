// Sums, softmax and powers of small arrays.
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <vector>

#include "boxed.h"
#include "loops/row-loops.h"

namespace keras {

namespace {

at::Tensor prepared(const at::Tensor& tensor, const char* op) {
  TORCH_CHECK(tensor.device().is_cpu() && tensor.scalar_type() == at::kFloat, op, ": tensors must be float32 on the CPU");
  return tensor.contiguous();
}

void softmaxOf(torch::jit::Stack& stack) {
  const bool logarithm = popBoolean(stack);
  const at::Tensor input = popTensor(stack);
  const at::Tensor x = prepared(input, "keras::softmax");
  TORCH_CHECK(x.dim() > 0 && x.size(-1) > 0 && x.size(-1) <= softmaxWidth, "keras::softmax: rows have 1 to ",
              softmaxWidth, " elements");
  at::Tensor result = at::empty(x.sizes(), x.options());
  softmaxRows(x.data_ptr<float>(), x.numel() / x.size(-1), x.size(-1), logarithm, result.data_ptr<float>());
  torch::jit::push(stack, std::move(result));
}

void sumOfMiddle(torch::jit::Stack& stack) {
  const std::vector<int64_t> shape = popIntegers(stack);
  const int64_t inner = popInteger(stack), count = popInteger(stack), outer = popInteger(stack);
  const at::Tensor input = popTensor(stack);
  const at::Tensor x = prepared(input, "keras::sum");
  at::Tensor result = at::empty(shape, x.options());
  const bool fits = outer >= 0 && count >= 0 && inner > 0 && x.numel() == outer * count * inner;
  TORCH_CHECK(fits && result.numel() == outer * inner, "keras::sum: the sizes do not fit the tensors");
  std::vector<double> sums(inner == 1 ? 0 : static_cast<size_t>(inner));
  sumMiddle(x.data_ptr<float>(), outer, count, inner, sums.data(), result.data_ptr<float>());
  torch::jit::push(stack, std::move(result));
}

void powerOf(torch::jit::Stack& stack) {
  const at::Tensor exponent = popTensor(stack), base = popTensor(stack);
  const at::Tensor x = prepared(base, "keras::power"), y = prepared(exponent, "keras::power");
  const bool oneX = x.numel() == 1, oneY = y.numel() == 1;
  TORCH_CHECK(x.sizes() == y.sizes() || oneX || oneY, "keras::power: tensors must have the same shape or one element");
  const at::Tensor& larger = oneX && (!oneY || y.dim() > x.dim()) ? y : x;
  at::Tensor result = at::empty(larger.sizes(), x.options());
  powers(x.data_ptr<float>(), oneX, y.data_ptr<float>(), oneY, result.numel(), result.data_ptr<float>());
  torch::jit::push(stack, std::move(result));
}

}  // namespace

}  // namespace keras

TORCH_LIBRARY_FRAGMENT(keras, library) {
  library.def("softmax(Tensor x, bool logarithm) -> Tensor");
  library.def("sum(Tensor x, int outer, int count, int inner, int[] shape) -> Tensor");
  library.def("power(Tensor x, Tensor y) -> Tensor");
}

TORCH_LIBRARY_IMPL(keras, CompositeExplicitAutograd, library) {
  library.impl("softmax", keras::boxed<keras::softmaxOf>());
  library.impl("sum", keras::boxed<keras::sumOfMiddle>());
  library.impl("power", keras::boxed<keras::powerOf>());
}
