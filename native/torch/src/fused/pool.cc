// Max pooling over two axes of images with channels last, and its gradient, in one pass over memory each.
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <torch/library.h>

#include <algorithm>

#include "loops/pool-loops.h"

namespace keras {

namespace {

// Elements worth a thread.
constexpr int64_t poolGrain = 1 << 15;

// Padding is [top, bottom, left, right]; elements outside count as less than everything.
struct Pooling {
  int64_t batch, height, width, channels;
  int64_t windowHeight, windowWidth, strideHeight, strideWidth, top, left;
  int64_t outHeight, outWidth;

  int64_t imageSize() const { return height * width * channels; }
  int64_t outSize() const { return outHeight * outWidth * channels; }
  bool overlaps() const { return strideHeight < windowHeight || strideWidth < windowWidth; }
};

void checkImage(const at::Tensor& x, const char* what) {
  TORCH_CHECK(x.device().is_cpu() && x.scalar_type() == at::kFloat && x.dim() == 4, "keras::max_pool2d: ", what,
              " must be a float32 tensor [batch, height, width, channels] on the CPU");
}

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

// Calls `visit(window, first channel, channels, offset of the result)` for all windows of the images from `begin` to `end`.
template <typename Visit>
void eachWindow(const Pooling& p, int64_t begin, int64_t end, Visit visit) {
  std::vector<int64_t> offsets(static_cast<size_t>(p.windowHeight * p.windowWidth));
  for (int64_t n = begin; n < end; n++)
    for (int64_t i = 0; i < p.outHeight; i++)
      for (int64_t j = 0; j < p.outWidth; j++) {
        const int64_t y0 = i * p.strideHeight - p.top, x0 = j * p.strideWidth - p.left;
        int64_t count = 0;
        for (int64_t y = std::max<int64_t>(y0, 0); y < std::min(y0 + p.windowHeight, p.height); y++)
          for (int64_t x = std::max<int64_t>(x0, 0); x < std::min(x0 + p.windowWidth, p.width); x++)
            offsets[count++] = n * p.imageSize() + (y * p.width + x) * p.channels;
        const int64_t result = n * p.outSize() + (i * p.outWidth + j) * p.channels;
        for (int64_t c = 0; c < p.channels; c += poolLanes)
          visit(PoolWindow{offsets.data(), count}, c, std::min(poolLanes, p.channels - c), result);
      }
}

int64_t imagesPerThread(const Pooling& p) { return std::max<int64_t>(1, poolGrain / std::max<int64_t>(1, p.imageSize())); }

at::Tensor maxPool(const at::Tensor& input, at::IntArrayRef window, at::IntArrayRef strides, at::IntArrayRef padding) {
  const Pooling p = poolingOf(input, window, strides, padding);
  const at::Tensor x = input.contiguous();
  at::Tensor y = at::empty({p.batch, p.outHeight, p.outWidth, p.channels}, x.options());
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  at::parallel_for(0, p.batch, imagesPerThread(p), [&](int64_t begin, int64_t end) {
    eachWindow(p, begin, end, [&](PoolWindow w, int64_t c, int64_t channels, int64_t result) {
      poolMaximum(from + c, w, channels, to + result + c);
    });
  });
  return y;
}

at::Tensor maxPoolGradient(const at::Tensor& input, const at::Tensor& gradient, at::IntArrayRef window,
                           at::IntArrayRef strides, at::IntArrayRef padding) {
  const Pooling p = poolingOf(input, window, strides, padding);
  checkImage(gradient, "the gradient");
  TORCH_CHECK(gradient.size(0) == p.batch && gradient.size(1) == p.outHeight && gradient.size(2) == p.outWidth &&
                  gradient.size(3) == p.channels,
              "keras::max_pool2d: the gradient does not have the shape of the result");
  const at::Tensor x = input.contiguous(), g = gradient.contiguous();
  // Windows side by side that cover the image write all of it.
  const bool covers = !p.overlaps() && p.strideHeight == p.windowHeight && p.strideWidth == p.windowWidth &&
                      p.top == 0 && p.left == 0 && p.outHeight * p.strideHeight >= p.height &&
                      p.outWidth * p.strideWidth >= p.width;
  at::Tensor dx = covers ? at::empty(x.sizes(), x.options()) : at::zeros(x.sizes(), x.options());
  const float* from = x.data_ptr<float>();
  const float* above = g.data_ptr<float>();
  float* to = dx.data_ptr<float>();
  at::parallel_for(0, p.batch, imagesPerThread(p), [&](int64_t begin, int64_t end) {
    eachWindow(p, begin, end, [&](PoolWindow w, int64_t c, int64_t channels, int64_t result) {
      // Windows in the padding alone have no element to give to.
      if (w.count == 0) return;
      poolGradient(from + c, w, channels, above + result + c, to + c, p.overlaps());
    });
  });
  return dx;
}

}  // namespace

}  // namespace keras

TORCH_LIBRARY_FRAGMENT(keras, library) {
  library.def("max_pool2d(Tensor x, int[] window, int[] strides, int[] padding) -> Tensor");
  library.def("max_pool2d_gradient(Tensor x, Tensor g, int[] window, int[] strides, int[] padding) -> Tensor");
}

TORCH_LIBRARY_IMPL(keras, CompositeExplicitAutograd, library) {
  library.impl("max_pool2d", keras::maxPool);
  library.impl("max_pool2d_gradient", keras::maxPoolGradient);
}
