#include "parallel/conv.h"

#include <array>

#include "loops/conv-loops.h"
#include "own-op.h"
#include "parallel/threads.h"

namespace keras {

namespace {

// More than images have along an axis; products of a few sizes and counts then do not overflow.
constexpr int64_t mostSize = 1 << 24;

void checkThat(bool holds, const char* what, const char* message) {
  if (!holds) throw Misuse(std::string("keras::convolution2d: ") + what + message);
}

void checkTensor(const at::Tensor& x, const char* what) {
  checkThat(isFloatOnCpu(x) && x.dim() == 4, what, " must be a float32 tensor of four axes on the CPU");
  for (int64_t size : x.sizes()) checkThat(size < mostSize, what, " has an axis that is too long");
}

void checkNumbers(at::IntArrayRef numbers, size_t count, int64_t least, const char* what) {
  checkThat(numbers.size() == count, what, " has too few or too many numbers");
  for (int64_t number : numbers) checkThat(number >= least && number < mostSize, what, " has a number that is out of range");
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
  checkThat(kernel[0] > 0 && kernel[1] > 0, "the window", " is empty");
  checkThat(kernel[2] == x[3], "the kernel", " is for another number of channels than the input has");
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
  checkThat(g.size(0) == c.batch && g.size(1) == c.outHeight && g.size(2) == c.outWidth && g.size(3) == c.filters,
        "the gradient", " does not have the shape of the result");
}

bool isEmpty(const Convolution& c) {
  return c.batch * c.height * c.width == 0 || c.channels * c.filters == 0 || c.outHeight * c.outWidth == 0;
}

using Shape = std::array<int64_t, 4>;

// What a convolution of nothing gives.
at::Tensor zerosOf(const Shape& shape) { return emptyOf(shape, at::kFloat).zero_(); }

void convolution(OwnCall& call) {
  const at::Tensor x = call.tensor(0), kernel = call.tensor(1);
  checkTensor(x, "the input");
  checkTensor(kernel, "the kernel");
  const Convolution c = convolutionOf(x.sizes(), kernel.sizes(), call.integers(2), call.integers(3));
  const Shape shape = {c.batch, c.outHeight, c.outWidth, c.filters};
  if (isEmpty(c)) return call.give(zerosOf(shape));
  const at::Tensor from = x.contiguous(), weights = kernel.contiguous();
  at::Tensor y = emptyOf(shape, at::kFloat);
  const auto* image = from.data_ptr<float>();
  const auto* taps = weights.data_ptr<float>();
  if (!isWinograd(c) || !convolveByTiles(c, image, taps, y.data_ptr<float>()))
    convolveDirectly(c, image, taps, y.data_ptr<float>());
  call.give(std::move(y));
}

void inputGradient(OwnCall& call) {
  const at::Tensor g = call.tensor(0), kernel = call.tensor(1);
  const std::vector<int64_t> spatial = call.integers(4);
  checkTensor(g, "the gradient");
  checkTensor(kernel, "the kernel");
  checkNumbers(spatial, 2, 0, "the input's height and width");
  const Shape shape = {g.size(0), spatial[0], spatial[1], kernel.size(2)};
  const Convolution c = convolutionOf(shape, kernel.sizes(), call.integers(2), call.integers(3));
  checkGradient(g, c);
  if (isEmpty(c)) return call.give(zerosOf(shape));
  const at::Tensor from = g.contiguous(), weights = kernel.contiguous();
  at::Tensor dx = emptyOf(shape, at::kFloat);
  const auto* gradient = from.data_ptr<float>();
  const auto* taps = weights.data_ptr<float>();
  if (!isWinograd(c) || !inputGradientByTiles(c, gradient, taps, dx.data_ptr<float>()))
    inputGradientDirectly(c, gradient, taps, dx.data_ptr<float>());
  call.give(std::move(dx));
}

void kernelGradient(OwnCall& call) {
  const at::Tensor x = call.tensor(0), g = call.tensor(1);
  const std::vector<int64_t> window = call.integers(4);
  checkTensor(x, "the input");
  checkTensor(g, "the gradient");
  checkNumbers(window, 2, 1, "the window");
  const Shape shape = {window[0], window[1], x.size(3), g.size(3)};
  const Convolution c = convolutionOf(x.sizes(), shape, call.integers(2), call.integers(3));
  checkGradient(g, c);
  if (isEmpty(c)) return call.give(zerosOf(shape));
  const at::Tensor from = x.contiguous(), above = g.contiguous();
  at::Tensor dw = emptyOf(shape, at::kFloat);
  const auto* image = from.data_ptr<float>();
  const auto* gradient = above.data_ptr<float>();
  if (!isWinograd(c) || !kernelGradientByTiles(c, image, gradient, dw.data_ptr<float>()))
    kernelGradientDirectly(c, image, gradient, dw.data_ptr<float>());
  call.give(std::move(dw));
}

}  // namespace

std::vector<OwnOp> convolutionOps() {
  // Without threads, these convolutions are no match for libtorch's, which are used where there are none here.
  if (!sharesWork() || !convolutionsPay()) return {};
  return {{"convolution2d(Tensor x, Tensor kernel, int[] strides, int[] padding) -> Tensor", convolution},
          {"convolution2d_input(Tensor g, Tensor kernel, int[] strides, int[] padding, int[] spatial) -> Tensor",
           inputGradient},
          {"convolution2d_kernel(Tensor x, Tensor g, int[] strides, int[] padding, int[] window) -> Tensor",
           kernelGradient}};
}

}  // namespace keras
