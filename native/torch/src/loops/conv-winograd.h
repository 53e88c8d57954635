// Convolutions with windows of 3x3 and stride 1 by the minimal filtering algorithm F(2x2, 3x3) of Winograd in the form of
// Lavin and Gray (Fast algorithms for convolutional neural networks, 2016): 16 products give a tile of 2x2 outputs from
// one of 4x4 inputs, where 36 are needed otherwise. No result depends on inputs that its window does not see.
// All numbers of channels and filters are multiples of 8. Transformed images are laid out [16, tiles, channels] with a
// gap after each of the 16 parts, kernels [16, panels of filters, channels, at most 16 filters].
#pragma once
#include <cstdint>

namespace keras {

// Floats from part to part: never a multiple of what the first cache puts in the same place.
inline int64_t winogradPitch(int64_t tiles, int64_t channels) { return tiles * channels + 16; }

// Tiles next to each other. Columns outside of the image are zeros.
struct WinogradRow {
  // Start of each row of the image: four of inputs, some zeros if outside of it, or two of outputs, the second null if
  // outside.
  const float* rows[4];
  // Columns of the image, and the first that the first tile takes in, which may be negative.
  int64_t width, column;
  int64_t tiles, channels;
};

// Transformed kernel from one laid out [3, 3, channels, filters], for the filters from `begin` to `end`, multiples of 16
// or the number of filters.
void winogradKernel(const float* kernel, int64_t channels, int64_t filters, int64_t begin, int64_t end, float* to);
// Transformed inputs, which lie `pitch` floats from part to part.
void winogradInput(const WinogradRow& row, float* to, int64_t pitch);
// Transformed gradients of outputs.
void winogradGradient(const WinogradRow& row, float* to, int64_t pitch);
// The products of transformed inputs and a kernel.
void winogradMultiply(const float* input, const float* kernel, int64_t tiles, int64_t channels, int64_t filters,
                      float* to);
// Adds the products of transformed inputs and gradients to `sums`, laid out [16, channels, filters].
void winogradAddProducts(const float* input, const float* gradient, int64_t tiles, int64_t channels, int64_t filters,
                         float* sums);
// Outputs from products into the two rows of `row`. False if an infinity or NaN was among them.
bool winogradOutput(const float* products, int64_t pitch, const WinogradRow& row);
// The kernel's gradient [3, 3, channels, filters] from sums, for the channels from `begin` to `end`. False as above.
bool winogradKernelGradient(const float* sums, int64_t channels, int64_t filters, int64_t begin, int64_t end, float* to);

}  // namespace keras
