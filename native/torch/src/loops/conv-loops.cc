#include "loops/conv-loops.h"

#include <cstring>

#include "loops/wide.h"

namespace keras {

bool convolutionsPay() {
#if defined(__x86_64__)
  return hasWideVectors() && !__builtin_cpu_supports("avx512f");
#else
  return false;
#endif
}

int64_t panelsSize(int64_t depth, int64_t filters) {
  return depth * ((filters + vectorWidth - 1) / vectorWidth * vectorWidth);
}

void packPanels(const float* rows, int64_t depth, int64_t filters, int64_t stride, float* panels) {
  for (int64_t f = 0; f < filters; f += panelWidth) {
    const int64_t count = filters - f < panelWidth ? filters - f : panelWidth;
    const int64_t width = count > vectorWidth ? panelWidth : vectorWidth;
    for (int64_t k = 0; k < depth; k++, panels += width) {
      std::memcpy(panels, rows + k * stride + f, static_cast<size_t>(count) * sizeof(float));
      if (count < width) std::memset(panels + count, 0, static_cast<size_t>(width - count) * sizeof(float));
    }
  }
}

void transpose(const float* from, int64_t rows, int64_t columns, float* to) {
  // By blocks, whose lines stay in the nearest cache.
  for (int64_t i = 0; i < rows; i += 16)
    for (int64_t j = 0; j < columns; j++)
      for (int64_t k = i; k < rows && k < i + 16; k++) to[j * rows + k] = from[k * columns + j];
}

KERAS_WIDE void addTo(const float* from, int64_t count, float* to) {
  int64_t i = 0;
  for (; i + vectorWidth <= count; i += vectorWidth)
    lying<Vector>(to + i).value = lying<Vector>(to + i).value + lying<Vector>(from + i).value;
  for (; i < count; i++) to[i] += from[i];
}

namespace {

// Runs shorter than this are read through a table of offsets instead.
constexpr int64_t shortRun = 16;
constexpr int64_t mostOffsets = 128;

// P pixels times N vectors of filters, of which `count` are stored.
template <int P, int N>
KERAS_WIDE void tile(const float* x, ConvWindow window, const int64_t* offsets, const int64_t* from, const int64_t* to,
                     const float* w, int64_t count, float* y) {
  Vector sums[P][N];
  const float* in[P];
#pragma GCC unroll 8
  for (int p = 0; p < P; p++) {
    in[p] = x + from[p];
#pragma GCC unroll 2
    for (int n = 0; n < N; n++) sums[p][n] = Vector{};
  }
#define KERAS_STEP(AT)                                            \
  {                                                               \
    const Vector first = lying<Vector>(w).value;                           \
    const Vector second = lying<Vector>(w + (N - 1) * vectorWidth).value;        \
    w += N * vectorWidth;                                               \
    _Pragma("GCC unroll 8") for (int p = 0; p < P; p++) {         \
      const float v = in[p][AT];                                  \
      sums[p][0] += first * v;                                    \
      if (N > 1) sums[p][N - 1] += second * v;                    \
    }                                                             \
  }
  if (offsets != nullptr) {
    const int64_t depth = window.runs * window.length;
    for (int64_t k = 0; k < depth; k++) KERAS_STEP(offsets[k])
  } else {
    for (int64_t r = 0; r < window.runs; r++) {
      const int64_t end = r * window.pitch + window.length;
      for (int64_t k = r * window.pitch; k < end; k++) KERAS_STEP(k)
    }
  }
#undef KERAS_STEP
  if (count == N * vectorWidth) {
#pragma GCC unroll 8
    for (int p = 0; p < P; p++) {
      float* out = y + to[p];
#pragma GCC unroll 2
      for (int n = 0; n < N; n++) lying<Vector>(out + n * vectorWidth).value = sums[p][n];
    }
    return;
  }
  for (int p = 0; p < P; p++) std::memcpy(y + to[p], &sums[p][0], static_cast<size_t>(count) * sizeof(float));
}

template <int N>
void panel(const float* x, ConvWindow window, const int64_t* offsets, const int64_t* from, const int64_t* to,
           int64_t pixels, const float* w, int64_t count, float* y) {
  for (; pixels >= 6; pixels -= 6, from += 6, to += 6) tile<6, N>(x, window, offsets, from, to, w, count, y);
  switch (pixels) {
    case 1: return tile<1, N>(x, window, offsets, from, to, w, count, y);
    case 2: return tile<2, N>(x, window, offsets, from, to, w, count, y);
    case 3: return tile<3, N>(x, window, offsets, from, to, w, count, y);
    case 4: return tile<4, N>(x, window, offsets, from, to, w, count, y);
    case 5: return tile<5, N>(x, window, offsets, from, to, w, count, y);
    default: return;
  }
}

// R rows times N vectors of filters.
template <int R, int N>
KERAS_WIDE void sumTile(const float* x, const int64_t* rows, ConvBand band, const float* g, int64_t filters,
                        float* result) {
  Vector sums[R][N];
  const float* in[R];
#pragma GCC unroll 8
  for (int r = 0; r < R; r++) {
    in[r] = x + rows[r];
#pragma GCC unroll 2
    for (int n = 0; n < N; n++) sums[r][n] = lying<Vector>(result + r * filters + n * vectorWidth).value;
  }
  for (int64_t line = 0; line < band.lines; line++) {
    int64_t at = line * band.linePitch;
    for (int64_t i = 0; i < band.width; i++, at += band.pixelPitch, g += filters) {
      const Vector first = lying<Vector>(g).value;
      const Vector second = lying<Vector>(g + (N - 1) * vectorWidth).value;
#pragma GCC unroll 8
      for (int r = 0; r < R; r++) {
        const float v = in[r][at];
        sums[r][0] += first * v;
        if (N > 1) sums[r][N - 1] += second * v;
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < R; r++) {
#pragma GCC unroll 2
    for (int n = 0; n < N; n++) lying<Vector>(result + r * filters + n * vectorWidth).value = sums[r][n];
  }
}

template <int N>
void sumPanel(const float* x, const int64_t* rows, int64_t count, ConvBand band, const float* g, int64_t filters,
              float* sums) {
  for (; count >= 6; count -= 6, rows += 6, sums += 6 * filters) sumTile<6, N>(x, rows, band, g, filters, sums);
  switch (count) {
    case 1: return sumTile<1, N>(x, rows, band, g, filters, sums);
    case 2: return sumTile<2, N>(x, rows, band, g, filters, sums);
    case 3: return sumTile<3, N>(x, rows, band, g, filters, sums);
    case 4: return sumTile<4, N>(x, rows, band, g, filters, sums);
    case 5: return sumTile<5, N>(x, rows, band, g, filters, sums);
    default: return;
  }
}

}  // namespace

void convolvePixels(const float* x, ConvWindow window, const int64_t* from, const int64_t* to, int64_t pixels,
                    const float* panels, int64_t filters, float* y) {
  const int64_t depth = window.runs * window.length;
  int64_t table[mostOffsets];
  const bool isShort = window.length < shortRun && depth <= mostOffsets;
  if (isShort)
    for (int64_t k = 0; k < depth; k++) table[k] = k / window.length * window.pitch + k % window.length;
  const int64_t* offsets = isShort ? table : nullptr;
  for (int64_t f = 0; f < filters; f += panelWidth) {
    const int64_t count = filters - f < panelWidth ? filters - f : panelWidth;
    const float* w = panels + f * depth;
    if (count > vectorWidth) panel<2>(x, window, offsets, from, to, pixels, w, count, y + f);
    else panel<1>(x, window, offsets, from, to, pixels, w, count, y + f);
  }
}

void addKernelGradient(const float* x, const int64_t* rows, int64_t rowCount, ConvBand band, const float* g,
                       int64_t filters, float* sums) {
  int64_t f = 0;
  for (; f + panelWidth <= filters; f += panelWidth) sumPanel<2>(x, rows, rowCount, band, g + f, filters, sums + f);
  if (f < filters) sumPanel<1>(x, rows, rowCount, band, g + f, filters, sums + f);
}

}  // namespace keras
