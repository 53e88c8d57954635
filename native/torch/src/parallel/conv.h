// Convolutions over two axes of float32 images with channels last, kernels [height, width, channels, filters].
#pragma once
#include <cstdint>
#include <memory>

namespace keras {

struct Convolution {
  int64_t batch, height, width, channels;
  int64_t windowHeight, windowWidth, filters;
  int64_t strideHeight, strideWidth;
  // Zeros above and left of the image; those below and right follow from the size of the result.
  int64_t top, left;
  int64_t outHeight, outWidth;

  int64_t taps() const { return windowHeight * windowWidth; }
  int64_t imageSize() const { return height * width * channels; }
  int64_t outSize() const { return outHeight * outWidth * filters; }
};

// Multiplications worth a thread.
constexpr int64_t convolutionGrain = 1 << 18;
// How many pieces of `work` multiplications each are worth a thread.
inline int64_t piecesPerThread(int64_t work) {
  return work >= convolutionGrain ? 1 : (convolutionGrain + work) / (work + 1);
}

// Memory of a thread, not initialized, in lines of the cache.
class Scratch {
 public:
  explicit Scratch(int64_t size) : memory_(new float[static_cast<size_t>(size + 16)]) {}
  float* data() const {
    const auto address = reinterpret_cast<uintptr_t>(memory_.get());
    return memory_.get() + ((64 - address % 64) % 64) / sizeof(float);
  }

 private:
  std::unique_ptr<float[]> memory_;
};

// Each sum by itself, for every convolution. Results do not depend on the number of threads.
void convolveDirectly(const Convolution& c, const float* x, const float* kernel, float* y);
void inputGradientDirectly(const Convolution& c, const float* g, const float* kernel, float* dx);
void kernelGradientDirectly(const Convolution& c, const float* x, const float* g, float* dw);

// Whether the functions below know the convolution, and its gradients.
bool isWinograd(const Convolution& c);
// False if there were infinities or NaN among the results, which may then be in the place of one another.
bool convolveByTiles(const Convolution& c, const float* x, const float* kernel, float* y);
bool inputGradientByTiles(const Convolution& c, const float* g, const float* kernel, float* dx);
bool kernelGradientByTiles(const Convolution& c, const float* x, const float* g, float* dw);

}  // namespace keras
