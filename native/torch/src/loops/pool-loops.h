// Max pooling over two axes of images with channels last, and its gradient.
#pragma once
#include <cstdint>

namespace keras {

// Sizes of images and windows; `top` and `left` are padding, whose elements count as less than everything.
struct Pooling {
  int64_t batch, height, width, channels;
  int64_t windowHeight, windowWidth, strideHeight, strideWidth, top, left;
  int64_t outHeight, outWidth;

  int64_t imageSize() const { return height * width * channels; }
  int64_t outSize() const { return outHeight * outWidth * channels; }
  bool overlaps() const { return strideHeight < windowHeight || strideWidth < windowWidth; }
  // Whether the windows lie side by side and leave nothing out.
  bool covers() const {
    return strideHeight == windowHeight && strideWidth == windowWidth && top == 0 && left == 0 &&
           outHeight * strideHeight >= height && outWidth * strideWidth >= width;
  }
};

// Both work on the rows of windows from `begin` to `end`, counted over all images, and need `offsets` for the elements
// of a window.

// The largest of each window and channel; NaN is larger than everything, and a window in the padding gives -infinity.
void poolMaximum(const Pooling& pooling, int64_t begin, int64_t end, const float* x, float* y, int64_t* offsets);
// The gradient of x: `g` where a window's largest was found first. Adds it to `dx` where windows overlap, else writes
// it, with 0 for the others of the window.
void poolGradient(const Pooling& pooling, int64_t begin, int64_t end, const float* x, const float* g, float* dx,
                  int64_t* offsets);

}  // namespace keras
