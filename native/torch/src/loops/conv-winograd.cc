#include "loops/conv-winograd.h"

#include "loops/conv-loops.h"
#include "loops/wide.h"

namespace keras {

namespace {

// Zero but for infinities and NaN, which stay in sums of it.
KERAS_WIDE KERAS_INLINE bool isZero(const Vector& v) {
  bool zero = true;
  for (int64_t i = 0; i < vectorWidth; i++) zero = zero && v[i] == 0.f;
  return zero;
}

// P tiles times N vectors of filters.
template <int P, int N>
KERAS_WIDE KERAS_INLINE void multiplyTile(const float* input, const float* w, int64_t channels, int64_t filters, float* to) {
  Vector sums[P][N];
  const float* in[P];
#pragma GCC unroll 8
  for (int p = 0; p < P; p++) {
    in[p] = input + p * channels;
#pragma GCC unroll 2
    for (int n = 0; n < N; n++) sums[p][n] = Vector{};
  }
  for (int64_t c = 0; c < channels; c += 2) {
#pragma GCC unroll 2
    for (int64_t k = 0; k < 2; k++) {
      const Vector first = lying<Vector>(w).value;
      const Vector second = lying<Vector>(w + (N - 1) * vectorWidth).value;
      w += N * vectorWidth;
#pragma GCC unroll 8
      for (int p = 0; p < P; p++) {
        const float v = in[p][c + k];
        sums[p][0] += first * v;
        if (N > 1) sums[p][N - 1] += second * v;
      }
    }
  }
#pragma GCC unroll 8
  for (int p = 0; p < P; p++) {
#pragma GCC unroll 2
    for (int n = 0; n < N; n++) lying<Vector>(to + p * filters + n * vectorWidth).value = sums[p][n];
  }
}

template <int N>
KERAS_WIDE void multiplyPanel(const float* input, const float* w, int64_t tiles, int64_t channels, int64_t filters,
                              float* to) {
  for (; tiles >= 6; tiles -= 6, input += 6 * channels, to += 6 * filters)
    multiplyTile<6, N>(input, w, channels, filters, to);
  if (tiles >= 4) {
    multiplyTile<4, N>(input, w, channels, filters, to);
    tiles -= 4;
    input += 4 * channels;
    to += 4 * filters;
  }
  for (; tiles > 0; tiles--, input += channels, to += filters) multiplyTile<1, N>(input, w, channels, filters, to);
}

// R channels times N vectors of filters.
template <int R, int N>
KERAS_WIDE KERAS_INLINE void addTile(const float* input, const float* g, int64_t tiles, int64_t channels, int64_t filters,
                               float* result) {
  Vector sums[R][N];
#pragma GCC unroll 8
  for (int r = 0; r < R; r++) {
#pragma GCC unroll 2
    for (int n = 0; n < N; n++) sums[r][n] = lying<Vector>(result + r * filters + n * vectorWidth).value;
  }
  for (int64_t t = 0; t < tiles; t++, input += channels, g += filters) {
    const Vector first = lying<Vector>(g).value;
    const Vector second = lying<Vector>(g + (N - 1) * vectorWidth).value;
#pragma GCC unroll 8
    for (int r = 0; r < R; r++) {
      const float v = input[r];
      sums[r][0] += first * v;
      if (N > 1) sums[r][N - 1] += second * v;
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < R; r++) {
#pragma GCC unroll 2
    for (int n = 0; n < N; n++) lying<Vector>(result + r * filters + n * vectorWidth).value = sums[r][n];
  }
}

// A multiple of 8 channels is one of tiles of 6 and 4.
template <int N>
KERAS_WIDE void addPanel(const float* input, const float* g, int64_t tiles, int64_t channels, int64_t filters,
                         float* sums) {
  int64_t c = 0;
  for (; channels - c >= 6 && channels - c != 8; c += 6)
    addTile<6, N>(input + c, g, tiles, channels, filters, sums + c * filters);
  for (; c < channels; c += 4) addTile<4, N>(input + c, g, tiles, channels, filters, sums + c * filters);
}

// A tile whose columns may be outside of the image only if it is an `Edge`.
template <bool Edge>
KERAS_WIDE KERAS_INLINE void inputTile(const WinogradRow& row, int64_t column, float* to, int64_t pitch) {
  const float* from[4];
  bool inside[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; k++) {
    from[k] = row.rows[k] + column * row.channels;
    inside[k] = column + k >= 0 && column + k < row.width;
  }
  for (int64_t c = 0; c < row.channels; c += vectorWidth) {
    Vector t[4][4];
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
      const int64_t at = j * row.channels + c;
      if (Edge && !inside[j]) {
        t[0][j] = t[1][j] = t[2][j] = t[3][j] = Vector{};
        continue;
      }
      const Vector a = lying<Vector>(from[0] + at).value, b = lying<Vector>(from[1] + at).value,
                   d = lying<Vector>(from[2] + at).value, e = lying<Vector>(from[3] + at).value;
      t[0][j] = a - d;
      t[1][j] = b + d;
      t[2][j] = d - b;
      t[3][j] = b - e;
    }
    float* part = to + c;
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++, part += 4 * pitch) {
      lying<Vector>(part).value = t[k][0] - t[k][2];
      lying<Vector>(part + pitch).value = t[k][1] + t[k][2];
      lying<Vector>(part + 2 * pitch).value = t[k][2] - t[k][1];
      lying<Vector>(part + 3 * pitch).value = t[k][1] - t[k][3];
    }
  }
}

}  // namespace

KERAS_WIDE void winogradKernel(const float* kernel, int64_t channels, int64_t filters, int64_t begin, int64_t end,
                               float* to) {
  const int64_t size = channels * filters;
  for (int64_t f = begin; f < end; f += vectorWidth) {
    const int64_t first = f / panelWidth * panelWidth;
    const int64_t width = filters - first < panelWidth ? vectorWidth : panelWidth;
    for (int64_t c = 0; c < channels; c++) {
      Vector rows[4][3];
#pragma GCC unroll 3
      for (int j = 0; j < 3; j++) {
        const float* w = kernel + j * size + c * filters + f;
        const Vector a = lying<Vector>(w).value, b = lying<Vector>(w + 3 * size).value,
                     d = lying<Vector>(w + 6 * size).value;
        rows[0][j] = a;
        rows[1][j] = (a + d + b) * .5f;
        rows[2][j] = (a + d - b) * .5f;
        rows[3][j] = d;
      }
      float* result = to + first * channels + c * width + (f - first);
#pragma GCC unroll 4
      for (int i = 0; i < 4; i++, result += 4 * size) {
        const Vector a = rows[i][0], b = rows[i][1], d = rows[i][2];
        lying<Vector>(result).value = a;
        lying<Vector>(result + size).value = (a + d + b) * .5f;
        lying<Vector>(result + 2 * size).value = (a + d - b) * .5f;
        lying<Vector>(result + 3 * size).value = d;
      }
    }
  }
}

KERAS_WIDE void winogradInput(const WinogradRow& row, float* to, int64_t pitch) {
  for (int64_t i = 0; i < row.tiles; i++, to += row.channels) {
    const int64_t column = row.column + 2 * i;
    if (column >= 0 && column + 4 <= row.width) inputTile<false>(row, column, to, pitch);
    else inputTile<true>(row, column, to, pitch);
  }
}

KERAS_WIDE void winogradGradient(const WinogradRow& row, float* to, int64_t pitch) {
  const int64_t channels = row.channels;
  const bool below = row.rows[1] != nullptr;
  for (int64_t i = 0; i < row.tiles; i++, to += channels) {
    const int64_t column = row.column + 2 * i;
    const bool right = column + 1 < row.width;
    const float* above = row.rows[0] + column * channels;
    const float* under = row.rows[1] + column * channels;
    for (int64_t c = 0; c < channels; c += vectorWidth) {
      Vector t[4][2];
#pragma GCC unroll 2
      for (int j = 0; j < 2; j++) {
        const bool inside = j == 0 || right;
        const Vector a = inside ? lying<Vector>(above + j * channels + c).value : Vector{};
        const Vector b = inside && below ? lying<Vector>(under + j * channels + c).value : Vector{};
        t[0][j] = a;
        t[1][j] = a + b;
        t[2][j] = a - b;
        t[3][j] = -b;
      }
      float* part = to + c;
#pragma GCC unroll 4
      for (int k = 0; k < 4; k++, part += 4 * pitch) {
        lying<Vector>(part).value = t[k][0];
        lying<Vector>(part + pitch).value = t[k][0] + t[k][1];
        lying<Vector>(part + 2 * pitch).value = t[k][0] - t[k][1];
        lying<Vector>(part + 3 * pitch).value = -t[k][1];
      }
    }
  }
}

void winogradMultiply(const float* input, const float* kernel, int64_t tiles, int64_t channels, int64_t filters,
                      float* to) {
  const int64_t inputPitch = winogradPitch(tiles, channels), pitch = winogradPitch(tiles, filters);
  for (int64_t part = 0; part < 16; part++, input += inputPitch, kernel += channels * filters, to += pitch) {
    int64_t f = 0;
    for (; f + panelWidth <= filters; f += panelWidth)
      multiplyPanel<2>(input, kernel + f * channels, tiles, channels, filters, to + f);
    if (f < filters) multiplyPanel<1>(input, kernel + f * channels, tiles, channels, filters, to + f);
  }
}

void winogradAddProducts(const float* input, const float* gradient, int64_t tiles, int64_t channels, int64_t filters,
                         float* sums) {
  const int64_t inputPitch = winogradPitch(tiles, channels), pitch = winogradPitch(tiles, filters);
  for (int64_t part = 0; part < 16; part++, input += inputPitch, gradient += pitch, sums += channels * filters) {
    int64_t f = 0;
    for (; f + panelWidth <= filters; f += panelWidth)
      addPanel<2>(input, gradient + f, tiles, channels, filters, sums + f);
    if (f < filters) addPanel<1>(input, gradient + f, tiles, channels, filters, sums + f);
  }
}

KERAS_WIDE bool winogradOutput(const float* products, int64_t pitch, const WinogradRow& row) {
  const int64_t channels = row.channels;
  const bool below = row.rows[1] != nullptr;
  Vector check{};
  for (int64_t i = 0; i < row.tiles; i++, products += channels) {
    const int64_t column = row.column + 2 * i;
    const bool right = column + 1 < row.width;
    float* above = const_cast<float*>(row.rows[0]) + column * channels;
    float* under = const_cast<float*>(row.rows[1]) + column * channels;
    for (int64_t c = 0; c < channels; c += vectorWidth) {
      Vector t[2][4];
#pragma GCC unroll 4
      for (int j = 0; j < 4; j++) {
        const float* part = products + j * pitch + c;
        const Vector a = lying<Vector>(part).value, b = lying<Vector>(part + 4 * pitch).value,
                     d = lying<Vector>(part + 8 * pitch).value, e = lying<Vector>(part + 12 * pitch).value;
        t[0][j] = a + b + d;
        t[1][j] = b - d - e;
      }
      const Vector y00 = t[0][0] + t[0][1] + t[0][2], y01 = t[0][1] - t[0][2] - t[0][3];
      const Vector y10 = t[1][0] + t[1][1] + t[1][2], y11 = t[1][1] - t[1][2] - t[1][3];
      check += (y00 + y01 + (y10 + y11)) * 0.f;
      lying<Vector>(above + c).value = y00;
      if (right) lying<Vector>(above + channels + c).value = y01;
      if (below) lying<Vector>(under + c).value = y10;
      if (below && right) lying<Vector>(under + channels + c).value = y11;
    }
  }
  return isZero(check);
}

KERAS_WIDE bool winogradKernelGradient(const float* sums, int64_t channels, int64_t filters, int64_t begin, int64_t end,
                                       float* to) {
  const int64_t size = channels * filters;
  Vector check{};
  for (int64_t at = begin * filters; at < end * filters; at += vectorWidth) {
    Vector rows[3][4];
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
      const float* part = sums + j * size + at;
      const Vector a = lying<Vector>(part).value, b = lying<Vector>(part + 4 * size).value,
                   d = lying<Vector>(part + 8 * size).value, e = lying<Vector>(part + 12 * size).value;
      const Vector half = (b + d) * .5f;
      rows[0][j] = a + half;
      rows[1][j] = (b - d) * .5f;
      rows[2][j] = half + e;
    }
    float* result = to + at;
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++, result += 3 * size) {
      const Vector half = (rows[i][1] + rows[i][2]) * .5f;
      const Vector first = rows[i][0] + half, second = (rows[i][1] - rows[i][2]) * .5f, third = half + rows[i][3];
      check += (first + second + third) * 0.f;
      lying<Vector>(result).value = first;
      lying<Vector>(result + size).value = second;
      lying<Vector>(result + 2 * size).value = third;
    }
  }
  return isZero(check);
}

}  // namespace keras
