// Loops of direct convolutions over images with channels last: tiles of pixels and channels that stay in registers.
#pragma once
#include <cstdint>

namespace keras {

// Whether this processor runs the loops of convolutions, and faster than libtorch's convolutions: they were measured on
// x86 with AVX2. AVX-512 computes twice as much at once, which these loops do not use.
bool convolutionsPay();

// Filters that are computed together.
constexpr int64_t panelWidth = 16;

// Number of floats that `packPanels` writes.
int64_t panelsSize(int64_t depth, int64_t filters);
// From `depth` rows of `filters` numbers, `stride` apart, to panels of at most 16 filters each, row after row; the last
// is filled up with zeros to 8 or 16.
void packPanels(const float* rows, int64_t depth, int64_t filters, int64_t stride, float* panels);

// From [rows, columns] to [columns, rows].
void transpose(const float* from, int64_t rows, int64_t columns, float* to);
void addTo(const float* from, int64_t count, float* to);

// The inputs of an output pixel: `runs` times `length` numbers in a row, `pitch` apart, from some offset on.
struct ConvWindow {
  int64_t runs, length, pitch;
};

// For each pixel p, y[to[p] + f] = sum over the window of x[from[p] + ...] times filter f, the panels' rows being in
// order of the window.
void convolvePixels(const float* x, ConvWindow window, const int64_t* from, const int64_t* to, int64_t pixels,
                    const float* panels, int64_t filters, float* y);

// A band of output pixels, and where their inputs are: `lines` times `width` pixels.
struct ConvBand {
  int64_t lines, width, linePitch, pixelPitch;
};

// sums[row, f] += sum over the pixels of x[rows[row] + pixel] times g[pixel, f]; `filters` is a multiple of 8.
void addKernelGradient(const float* x, const int64_t* rows, int64_t rowCount, ConvBand band, const float* g,
                       int64_t filters, float* sums);

}  // namespace keras
