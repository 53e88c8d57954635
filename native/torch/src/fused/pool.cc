// Max pooling over two axes of images with channels last, and its gradient, in one pass over memory each.
#include <algorithm>

#include "loops/pool-loops.h"
#include "own-op.h"
#include "parallel/threads.h"

namespace keras {

namespace {

// Elements worth a thread.
constexpr int64_t poolGrain = 1 << 15;

void checkImage(const at::Tensor& x) {
  require(isFloatOnCpu(x) && x.dim() == 4,
          "keras::max_pool2d: x and the gradient must be float32 tensors [batch, height, width, channels] on the CPU");
}

// Padding is [top, bottom, left, right].
Pooling poolingOf(const at::Tensor& x, at::IntArrayRef window, at::IntArrayRef strides, at::IntArrayRef padding) {
  checkImage(x);
  require(window.size() == 2 && strides.size() == 2 && padding.size() == 4,
          "keras::max_pool2d: window and strides have two numbers, padding four");
  for (int64_t axis = 0; axis < 2; axis++) {
    require(window[axis] > 0 && strides[axis] > 0, "keras::max_pool2d: window and strides must be positive");
    for (int64_t side = 0; side < 2; side++)
      require(padding[2 * axis + side] >= 0 && padding[2 * axis + side] < window[axis],
              "keras::max_pool2d: padding must be smaller than the window");
  }
  Pooling p{x.size(0), x.size(1), x.size(2), x.size(3), window[0], window[1], strides[0], strides[1], padding[0],
            padding[2], 0, 0};
  p.outHeight = (p.height + padding[0] + padding[1] - p.windowHeight) / p.strideHeight + 1;
  p.outWidth = (p.width + padding[2] + padding[3] - p.windowWidth) / p.strideWidth + 1;
  require(p.height + padding[0] + padding[1] >= p.windowHeight && p.width + padding[2] + padding[3] >= p.windowWidth,
          "keras::max_pool2d: the window is larger than the image");
  return p;
}

// Calls `run(begin, end, offsets)` for rows of windows, counted over all images, on several threads.
template <typename Run>
void eachRow(const Pooling& p, bool wholeImages, Run run) {
  const int64_t rows = wholeImages ? p.outHeight : 1;
  const int64_t size = std::max<int64_t>(1, p.imageSize() / std::max<int64_t>(1, p.outHeight) * rows);
  parallelFor(0, p.batch * p.outHeight / rows, std::max<int64_t>(1, poolGrain / size), [&](int64_t begin, int64_t end) {
    std::vector<int64_t> offsets(static_cast<size_t>(p.windowHeight * p.windowWidth));
    run(begin * rows, end * rows, offsets.data());
  });
}

void maxPool(OwnCall& call) {
  const at::Tensor input = call.tensor(0);
  const Pooling p = poolingOf(input, call.integers(1), call.integers(2), call.integers(3));
  const at::Tensor x = input.contiguous();
  at::Tensor y = emptyOf({p.batch, p.outHeight, p.outWidth, p.channels}, at::kFloat);
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  eachRow(p, false, [&](int64_t begin, int64_t end, int64_t* offsets) { poolMaximum(p, begin, end, from, to, offsets); });
  call.give(std::move(y));
}

void maxPoolGradient(OwnCall& call) {
  const at::Tensor input = call.tensor(0), gradient = call.tensor(1);
  const Pooling p = poolingOf(input, call.integers(2), call.integers(3), call.integers(4));
  checkImage(gradient);
  require(gradient.size(0) == p.batch && gradient.size(1) == p.outHeight && gradient.size(2) == p.outWidth &&
              gradient.size(3) == p.channels,
          "keras::max_pool2d: the gradient does not have the shape of the result");
  const at::Tensor x = input.contiguous(), g = gradient.contiguous();
  at::Tensor dx = emptyOf(x.sizes(), at::kFloat);
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
  call.give(std::move(dx));
}

}  // namespace

std::vector<OwnOp> poolOps() {
  return {{"max_pool2d(Tensor x, int[] window, int[] strides, int[] padding) -> Tensor", maxPool},
          {"max_pool2d_gradient(Tensor x, Tensor g, int[] window, int[] strides, int[] padding) -> Tensor",
           maxPoolGradient}};
}

}  // namespace keras
