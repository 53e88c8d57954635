#include "parallel/conv.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <array>

#include "boxed.h"
#include "loops/conv-loops.h"

namespace keras {

namespace {

// More than images have along an axis; products of a few sizes and counts then do not overflow.
constexpr int64_t mostSize = 1 << 24;

void checkTensor(const at::Tensor& x, const char* what) {
  TORCH_CHECK(x.device().is_cpu() && x.scalar_type() == at::kFloat && x.dim() == 4, "keras::convolution2d: ", what,
              " must be a float32 tensor of four axes on the CPU");
  for (int64_t size : x.sizes())
    TORCH_CHECK(size < mostSize, "keras::convolution2d: an axis of ", what, " is too long: ", size);
}

void checkNumbers(at::IntArrayRef numbers, size_t count, int64_t least, const char* what) {
  TORCH_CHECK(numbers.size() == count, "keras::convolution2d: ", what, " needs ", count, " numbers");
  for (int64_t number : numbers)
    TORCH_CHECK(number >= least && number < mostSize, "keras::convolution2d: ", what, " must not have ", number);
}

int64_t outputs(int64_t size, int64_t low, int64_t high, int64_t window, int64_t stride) {
  const int64_t room = size + low + high - window;
  return room < 0 ? 0 : room / stride + 1;
}

// Padding is [top, bottom, left, right].
Convolution convolutionOf(at::IntArrayRef x, at::IntArrayRef kernel, at::IntArrayRef strides, at::IntArrayRef padding) {
  checkNumbers(x, 4, 0, "the input");
  checkNumbers(kernel, 4, 0, "the kernel");
  checkNumbers(strides, 2, 1, "strides");
  checkNumbers(padding, 4, 0, "padding");
  TORCH_CHECK(kernel[0] > 0 && kernel[1] > 0, "keras::convolution2d: the window is empty");
  TORCH_CHECK(kernel[2] == x[3], "keras::convolution2d: the kernel is for ", kernel[2], " channels, the input has ", x[3]);
  return {x[0],
          x[1],
          x[2],
          x[3],
          kernel[0],
          kernel[1],
          kernel[3],
          strides[0],
          strides[1],
          padding[0],
          padding[2],
          outputs(x[1], padding[0], padding[1], kernel[0], strides[0]),
          outputs(x[2], padding[2], padding[3], kernel[1], strides[1])};
}

void checkGradient(const at::Tensor& g, const Convolution& c) {
  checkTensor(g, "the gradient");
  TORCH_CHECK(g.size(0) == c.batch && g.size(1) == c.outHeight && g.size(2) == c.outWidth && g.size(3) == c.filters,
              "keras::convolution2d: the gradient does not have the shape of the result");
}

// Without threads of their own, these convolutions are no match for libtorch's.
bool pays() {
#ifdef INTRA_OP_PARALLEL
  return convolutionsPay();
#else
  return false;
#endif
}

bool isEmpty(const Convolution& c) {
  return c.batch * c.height * c.width == 0 || c.channels * c.filters == 0 || c.outHeight * c.outWidth == 0;
}

void convolution(torch::jit::Stack& stack) {
  const std::vector<int64_t> padding = popIntegers(stack), strides = popIntegers(stack);
  const at::Tensor kernel = popTensor(stack), x = popTensor(stack);
  checkTensor(x, "the input");
  checkTensor(kernel, "the kernel");
  const Convolution c = convolutionOf(x.sizes(), kernel.sizes(), strides, padding);
  const std::array<int64_t, 4> shape = {c.batch, c.outHeight, c.outWidth, c.filters};
  if (isEmpty(c)) return torch::jit::push(stack, at::zeros(shape, x.options()));
  const at::Tensor from = x.contiguous(), weights = kernel.contiguous();
  at::Tensor y = at::empty(shape, x.options());
  const auto* image = from.data_ptr<float>();
  const auto* taps = weights.data_ptr<float>();
  if (!isWinograd(c) || !convolveByTiles(c, image, taps, y.data_ptr<float>()))
    convolveDirectly(c, image, taps, y.data_ptr<float>());
  torch::jit::push(stack, std::move(y));
}

void inputGradient(torch::jit::Stack& stack) {
  const std::vector<int64_t> spatial = popIntegers(stack), padding = popIntegers(stack), strides = popIntegers(stack);
  const at::Tensor kernel = popTensor(stack), g = popTensor(stack);
  checkTensor(g, "the gradient");
  checkTensor(kernel, "the kernel");
  checkNumbers(spatial, 2, 0, "the input's height and width");
  const std::array<int64_t, 4> shape = {g.size(0), spatial[0], spatial[1], kernel.size(2)};
  const Convolution c = convolutionOf(shape, kernel.sizes(), strides, padding);
  checkGradient(g, c);
  if (isEmpty(c)) return torch::jit::push(stack, at::zeros(shape, g.options()));
  const at::Tensor from = g.contiguous(), weights = kernel.contiguous();
  at::Tensor dx = at::empty(shape, g.options());
  const auto* gradient = from.data_ptr<float>();
  const auto* taps = weights.data_ptr<float>();
  if (!isWinograd(c) || !inputGradientByTiles(c, gradient, taps, dx.data_ptr<float>()))
    inputGradientDirectly(c, gradient, taps, dx.data_ptr<float>());
  torch::jit::push(stack, std::move(dx));
}

void kernelGradient(torch::jit::Stack& stack) {
  const std::vector<int64_t> window = popIntegers(stack), padding = popIntegers(stack), strides = popIntegers(stack);
  const at::Tensor g = popTensor(stack), x = popTensor(stack);
  checkTensor(x, "the input");
  checkTensor(g, "the gradient");
  checkNumbers(window, 2, 1, "the window");
  const std::array<int64_t, 4> shape = {window[0], window[1], x.size(3), g.size(3)};
  const Convolution c = convolutionOf(x.sizes(), shape, strides, padding);
  checkGradient(g, c);
  if (isEmpty(c)) return torch::jit::push(stack, at::zeros(shape, x.options()));
  const at::Tensor from = x.contiguous(), above = g.contiguous();
  at::Tensor dw = at::empty(shape, x.options());
  const auto* image = from.data_ptr<float>();
  const auto* gradient = above.data_ptr<float>();
  if (!isWinograd(c) || !kernelGradientByTiles(c, image, gradient, dw.data_ptr<float>()))
    kernelGradientDirectly(c, image, gradient, dw.data_ptr<float>());
  torch::jit::push(stack, std::move(dw));
}

}  // namespace

}  // namespace keras

// Missing where libtorch's own convolutions are to be used.
TORCH_LIBRARY_FRAGMENT(keras, library) {
  if (!keras::pays()) return;
  library.def("convolution2d(Tensor x, Tensor kernel, int[] strides, int[] padding) -> Tensor");
  library.def("convolution2d_input(Tensor g, Tensor kernel, int[] strides, int[] padding, int[] spatial) -> Tensor");
  library.def("convolution2d_kernel(Tensor x, Tensor g, int[] strides, int[] padding, int[] window) -> Tensor");
}

TORCH_LIBRARY_IMPL(keras, CompositeExplicitAutograd, library) {
  if (!keras::pays()) return;
  library.impl("convolution2d", keras::boxed<keras::convolution>());
  library.impl("convolution2d_input", keras::boxed<keras::inputGradient>());
  library.impl("convolution2d_kernel", keras::boxed<keras::kernelGradient>());
}
