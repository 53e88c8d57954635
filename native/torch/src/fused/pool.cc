// Max pooling over two axes of images with channels last, and its gradient, in one pass over memory each.
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <algorithm>

#include "boxed.h"
#include "loops/pool-loops.h"

namespace keras {

namespace {

// Elements worth a thread.
constexpr int64_t poolGrain = 1 << 15;

void checkImage(const at::Tensor& x, const char* what) {
  TORCH_CHECK(x.device().is_cpu() && x.scalar_type() == at::kFloat && x.dim() == 4, "keras::max_pool2d: ", what,
              " must be a float32 tensor [batch, height, width, channels] on the CPU");
}

// Padding is [top, bottom, left, right].
Pooling poolingOf(const at::Tensor& x, at::IntArrayRef window, at::IntArrayRef strides, at::IntArrayRef padding) {
  checkImage(x, "x");
  TORCH_CHECK(window.size() == 2 && strides.size() == 2 && padding.size() == 4,
              "keras::max_pool2d: window and strides have two numbers, padding four");
  for (int64_t axis = 0; axis < 2; axis++) {
    TORCH_CHECK(window[axis] > 0 && strides[axis] > 0, "keras::max_pool2d: window and strides must be positive");
    for (int64_t side = 0; side < 2; side++)
      TORCH_CHECK(padding[2 * axis + side] >= 0 && padding[2 * axis + side] < window[axis],
                  "keras::max_pool2d: padding must be smaller than the window");
  }
  Pooling p{x.size(0), x.size(1), x.size(2), x.size(3), window[0], window[1], strides[0], strides[1], padding[0],
            padding[2], 0, 0};
  p.outHeight = (p.height + padding[0] + padding[1] - p.windowHeight) / p.strideHeight + 1;
  p.outWidth = (p.width + padding[2] + padding[3] - p.windowWidth) / p.strideWidth + 1;
  TORCH_CHECK(p.height + padding[0] + padding[1] >= p.windowHeight && p.width + padding[2] + padding[3] >= p.windowWidth,
              "keras::max_pool2d: the window is larger than the image");
  return p;
}

// Calls `run(begin, end, offsets)` for rows of windows, counted over all images, on several threads.
template <typename Run>
void eachRow(const Pooling& p, bool wholeImages, Run run) {
  const int64_t rows = wholeImages ? p.outHeight : 1;
  const int64_t size = std::max<int64_t>(1, p.imageSize() / std::max<int64_t>(1, p.outHeight) * rows);
  at::parallel_for(0, p.batch * p.outHeight / rows, std::max<int64_t>(1, poolGrain / size), [&](int64_t begin, int64_t end) {
    std::vector<int64_t> offsets(static_cast<size_t>(p.windowHeight * p.windowWidth));
    run(begin * rows, end * rows, offsets.data());
  });
}

void maxPool(torch::jit::Stack& stack) {
  const std::vector<int64_t> padding = popIntegers(stack), strides = popIntegers(stack), window = popIntegers(stack);
  const at::Tensor input = popTensor(stack);
  const Pooling p = poolingOf(input, window, strides, padding);
  const at::Tensor x = input.contiguous();
  at::Tensor y = at::empty({p.batch, p.outHeight, p.outWidth, p.channels}, x.options());
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  eachRow(p, false, [&](int64_t begin, int64_t end, int64_t* offsets) { poolMaximum(p, begin, end, from, to, offsets); });
  torch::jit::push(stack, std::move(y));
}

void maxPoolGradient(torch::jit::Stack& stack) {
  const std::vector<int64_t> padding = popIntegers(stack), strides = popIntegers(stack), window = popIntegers(stack);
  const at::Tensor gradient = popTensor(stack), input = popTensor(stack);
  const Pooling p = poolingOf(input, window, strides, padding);
  checkImage(gradient, "the gradient");
  TORCH_CHECK(gradient.size(0) == p.batch && gradient.size(1) == p.outHeight && gradient.size(2) == p.outWidth &&
                  gradient.size(3) == p.channels,
              "keras::max_pool2d: the gradient does not have the shape of the result");
  const at::Tensor x = input.contiguous(), g = gradient.contiguous();
  at::Tensor dx = at::empty(x.sizes(), x.options());
  const float* from = x.data_ptr<float>();
  const float* above = g.data_ptr<float>();
  float* to = dx.data_ptr<float>();
  // What no window or several write must be 0 before, and belong to one thread.
  const bool covers = p.covers();
  eachRow(p, !covers, [&](int64_t begin, int64_t end, int64_t* offsets) {
    const int64_t step = covers ? end - begin : p.outHeight;
    for (; begin < end; begin += step) {
      if (!covers) std::fill_n(to + begin / p.outHeight * p.imageSize(), p.imageSize(), 0.f);
      poolGradient(p, begin, begin + step, from, above, to, offsets);
    }
  });
  torch::jit::push(stack, std::move(dx));
}

}  // namespace

}  // namespace keras

TORCH_LIBRARY_FRAGMENT(keras, library) {
  library.def("max_pool2d(Tensor x, int[] window, int[] strides, int[] padding) -> Tensor");
  library.def("max_pool2d_gradient(Tensor x, Tensor g, int[] window, int[] strides, int[] padding) -> Tensor");
}

TORCH_LIBRARY_IMPL(keras, CompositeExplicitAutograd, library) {
  library.impl("max_pool2d", keras::boxed<keras::maxPool>());
  library.impl("max_pool2d_gradient", keras::boxed<keras::maxPoolGradient>());
}
