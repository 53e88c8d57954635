#include "loops/gemm-loops.h"

#include <algorithm>

#include "loops/wide.h"

#if defined(__x86_64__)

#if defined(__clang__)
#define KERAS_UNROLL _Pragma("unroll")
#else
#pragma GCC push_options
#pragma GCC optimize("O3")
#define KERAS_UNROLL _Pragma("GCC unroll 16")
#endif

namespace keras {

namespace products {

constexpr int64_t lanes = vectorWidth;

#define KERAS_WIDE_INLINE static inline __attribute__((always_inline)) KERAS_WIDE

KERAS_WIDE_INLINE Vector load(const float* from) { return lying<Vector>(from).value; }
KERAS_WIDE_INLINE void store(float* to, const Vector& value) { lying<Vector>(to).value = value; }

// Rows and columns of a tile of the result, which the registers hold.
constexpr int64_t tileRows = 6;
constexpr int64_t tileColumns = 2 * lanes;
// Of b, `tileColumns` columns of this length stay in the nearest cache; of a, a block of this size in the next one.
constexpr int64_t longest = 320;
constexpr int64_t blockSize = 56 * 1024;

// A tile: `a` and `b` at its first row and column.
struct Tile {
  int64_t k;
  const float* a;
  int64_t aRow, aStep;
  const float* b;
  int64_t bStep;
  float* c;
  int64_t cRow;
  // Columns there are, and whether they are added to.
  int64_t columns;
  bool add;
};

// Stores rows of `width` sums, of which not all are elements of the result.
KERAS_SHARED static void storePart(const float* sums, int64_t rows, int64_t width, const Tile& tile) {
  for (int64_t i = 0; i < rows; i++, sums += width) {
    float* to = tile.c + i * tile.cRow;
    for (int64_t j = 0; j < tile.columns; j++) to[j] = tile.add ? to[j] + sums[j] : sums[j];
  }
}

template <int Rows, int Vectors, bool Packed>
KERAS_WIDE static void runTile(const Tile& tile) {
  Vector sums[Rows][Vectors];
  KERAS_UNROLL for (int i = 0; i < Rows; i++)
    KERAS_UNROLL for (int v = 0; v < Vectors; v++) sums[i][v] = Vector{};
  const float* a = tile.a;
  const float* b = tile.b;
  KERAS_UNROLL for (int i = 0; i < Rows; i++) __builtin_prefetch(tile.c + i * tile.cRow, 1);
  const int64_t aRow = Packed ? 1 : tile.aRow, aStep = Packed ? Rows : tile.aStep, bStep = tile.bStep;
  for (int64_t p = 0; p < tile.k; p++, a += aStep, b += bStep) {
    Vector right[Vectors];
    KERAS_UNROLL for (int v = 0; v < Vectors; v++) right[v] = load(b + v * lanes);
    KERAS_UNROLL for (int i = 0; i < Rows; i++) {
      const float x = a[i * aRow];
      const Vector left = {x, x, x, x, x, x, x, x};
      KERAS_UNROLL for (int v = 0; v < Vectors; v++) sums[i][v] += left * right[v];
    }
  }
  if (tile.columns == Vectors * lanes) {
    KERAS_UNROLL for (int i = 0; i < Rows; i++)
      KERAS_UNROLL for (int v = 0; v < Vectors; v++) {
        float* to = tile.c + i * tile.cRow + v * lanes;
        store(to, tile.add ? load(to) + sums[i][v] : sums[i][v]);
      }
    return;
  }
  float part[Rows * Vectors * lanes];
  KERAS_UNROLL for (int i = 0; i < Rows; i++)
    KERAS_UNROLL for (int v = 0; v < Vectors; v++) store(part + (i * Vectors + v) * lanes, sums[i][v]);
  storePart(part, Rows, Vectors * lanes, tile);
}

template <int Vectors, bool Packed>
KERAS_WIDE static void runTile(int64_t rows, const Tile& tile) {
  switch (rows) {
    case 1: return runTile<1, Vectors, Packed>(tile);
    case 2: return runTile<2, Vectors, Packed>(tile);
    case 3: return runTile<3, Vectors, Packed>(tile);
    case 4: return runTile<4, Vectors, Packed>(tile);
    case 5: return runTile<5, Vectors, Packed>(tile);
    default: return runTile<6, Vectors, Packed>(tile);
  }
}

// Rows of the next tile: tiles of few rows keep the processor waiting, so the last ones share what is left.
static int64_t rowsOfNext(int64_t left) {
  if (left >= 2 * tileRows || left <= tileRows) return std::min(left, tileRows);
  return left == 2 * tileRows - 1 ? tileRows : (left + 1) / 2;
}

// `Tiles` tiles of rows that lie side by side, which are read together. Eight elements are written for six: the others
// are overwritten by those that come next.
template <int Tiles>
KERAS_WIDE static void packTiles(const float* from, int64_t step, int64_t k, float* to) {
  for (int64_t p = 0; p + 1 < k; p++, from += step, to += tileRows)
    KERAS_UNROLL for (int t = 0; t < Tiles; t++) store(to + t * tileRows * k, load(from + t * tileRows));
  for (int t = 0; t < Tiles; t++)
    for (int64_t r = 0; r < tileRows; r++) to[t * tileRows * k + r] = from[t * tileRows + r];
}

// Tile by tile, for each step along k the elements of all rows.
KERAS_WIDE static void packRows(const GemmMatrix& a, int64_t m, int64_t k, float* to) {
  int64_t i = 0;
  if (a.row == 1) {
    // Tiles of the last rows may be smaller.
    for (; m - i >= 10 * tileRows; i += 8 * tileRows) packTiles<8>(a.data + i, a.column, k, to + i * k);
    for (; m - i >= 3 * tileRows; i += tileRows) packTiles<1>(a.data + i, a.column, k, to + i * k);
  }
  while (i < m) {
    const int64_t rows = rowsOfNext(m - i);
    for (int64_t p = 0; p < k; p++)
      for (int64_t r = 0; r < rows; r++) to[i * k + p * rows + r] = a.data[(i + r) * a.row + p * a.column];
    i += rows;
  }
}

KERAS_WIDE_INLINE void transpose(const float* from, int64_t row, float* to, int64_t step) {
  Vector x[8], y[8];
  KERAS_UNROLL for (int i = 0; i < 8; i++) x[i] = load(from + i * row);
  KERAS_UNROLL for (int i = 0; i < 8; i += 2) {
    y[i] = __builtin_shufflevector(x[i], x[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    y[i + 1] = __builtin_shufflevector(x[i], x[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  KERAS_UNROLL for (int i = 0; i < 8; i += 4)
    KERAS_UNROLL for (int j = 0; j < 2; j++) {
      x[i + 2 * j] = __builtin_shufflevector(y[i + j], y[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      x[i + 2 * j + 1] = __builtin_shufflevector(y[i + j], y[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  KERAS_UNROLL for (int i = 0; i < 4; i++) {
    store(to + i * step, __builtin_shufflevector(x[i], x[i + 4], 0, 1, 2, 3, 8, 9, 10, 11));
    store(to + (i + 4) * step, __builtin_shufflevector(x[i], x[i + 4], 4, 5, 6, 7, 12, 13, 14, 15));
  }
}

// Columns of b that are laid out, a few rows at a time, as one row of `width` after the other with zeros behind them.
struct Packing {
  GemmMatrix b;
  int64_t columns, k, width;
  float* to;
  int64_t done;
};

KERAS_WIDE static void packWide(const Packing& packing, int64_t end) {
  const int64_t row = packing.b.row;
  const float* from = packing.b.data + packing.done * row;
  float* to = packing.to + packing.done * tileColumns;
  for (int64_t p = packing.done; p < end; p++, from += row, to += tileColumns) {
    store(to, load(from));
    store(to + lanes, load(from + lanes));
  }
  // The ones that come next, while products keep the processor busy.
  for (int64_t ahead = std::min(end - packing.done, packing.k - end); ahead > 0; ahead--, from += row)
    __builtin_prefetch(from);
}

KERAS_WIDE static void packAny(const Packing& packing, int64_t end) {
  const GemmMatrix& b = packing.b;
  const int64_t columns = packing.columns, width = packing.width, start = packing.done;
  int64_t first = 0;
  if (b.row == 1) {
    for (; first + lanes <= columns; first += lanes) {
      int64_t p = start;
      const float* from = b.data + first * b.column;
      for (; p + lanes <= end; p += lanes) transpose(from + p, b.column, packing.to + p * width + first, width);
      for (; p < end; p++)
        for (int64_t j = 0; j < lanes; j++) packing.to[p * width + first + j] = from[p + j * b.column];
    }
    if (end < packing.k)
      for (int64_t j = 0; j < columns; j++) __builtin_prefetch(b.data + end + j * b.column);
  }
  for (int64_t p = start; p < end; p++) {
    const float* from = b.data + p * b.row;
    float* to = packing.to + p * width;
    for (int64_t j = first; j < columns; j++) to[j] = from[j * b.column];
    for (int64_t j = columns; j < width; j++) to[j] = 0.f;
  }
}

static void pack(Packing& packing, int64_t rows) {
  const int64_t end = std::min(packing.k, packing.done + rows);
  if (end == packing.done) return;
  if (packing.b.column == 1 && packing.columns == tileColumns) packWide(packing, end);
  else packAny(packing, end);
  packing.done = end;
}

static int64_t divideUp(int64_t value, int64_t by) { return (value + by - 1) / by; }
static int64_t roundUp(int64_t value, int64_t to) { return divideUp(value, to) * to; }

// Lengths of the parts that k is cut into.
static int64_t partOf(int64_t k) { return divideUp(k, divideUp(k, longest)); }

// The product of blocks that the caches hold. While tiles of some columns are computed, the next columns are packed.
void runBlock(int64_t m, int64_t n, int64_t k, const GemmMatrix& a, const GemmMatrix& b, float* c, int64_t row, bool add,
              float* scratch) {
  float* const packedRows = scratch + 2 * tileColumns * k;
  const bool rowsPacked = a.column != 1 && m > 1 && n > 2 * tileColumns;
  if (rowsPacked) packRows(a, m, k, packedRows);
  const bool direct = m <= tileRows && b.column == 1;
  auto packingOf = [&](int64_t j) {
    const int64_t columns = std::clamp<int64_t>(n - j, 0, tileColumns), width = columns <= lanes ? lanes : tileColumns;
    const bool there = columns == 0 || (direct && columns == width);
    return Packing{{b.data + j * b.column, b.row, b.column}, columns, k, width,
                   scratch + j / tileColumns % 2 * tileColumns * k, there ? k : 0};
  };
  const int64_t rowsPerTile = roundUp(divideUp(k * tileRows, m), lanes);
  Packing next = packingOf(0);
  for (int64_t j = 0; j < n; j += tileColumns) {
    pack(next, k);
    const Packing current = next;
    next = packingOf(j + tileColumns);
    const int64_t columns = current.columns, width = current.width;
    const bool there = direct && columns == width;
    const float* left = rowsPacked ? packedRows : a.data;
    const float* right = there ? current.b.data : current.to;
    Tile tile{k, left, a.row, a.column, right, there ? b.row : width, c + j, row, columns, add};
    for (int64_t i = 0; i < m;) {
      const int64_t rows = rowsOfNext(m - i);
      pack(next, rowsPerTile);
      if (rowsPacked) width == lanes ? runTile<1, true>(rows, tile) : runTile<2, true>(rows, tile);
      else width == lanes ? runTile<1, false>(rows, tile) : runTile<2, false>(rows, tile);
      tile.a += rowsPacked ? rows * k : rows * a.row;
      tile.c += rows * row;
      i += rows;
    }
  }
}

}  // namespace products

bool hasGemm() { return hasWideVectors(); }

int64_t gemmScratch(int64_t k) {
  return 2 * products::tileColumns * products::partOf(k) + products::blockSize + products::lanes;
}

void gemm(int64_t m, int64_t n, int64_t k, GemmMatrix a, GemmMatrix b, float* c, int64_t row, float* scratch) {
  const int64_t part = products::partOf(k);
  const int64_t mostRows = std::max(products::tileRows, products::blockSize / part);
  const int64_t share = products::divideUp(m, products::divideUp(m, mostRows));
  const int64_t rows = std::min(mostRows, products::roundUp(share, products::tileRows));
  for (int64_t p = 0; p < k; p += part)
    for (int64_t i = 0; i < m; i += rows)
      products::runBlock(std::min(rows, m - i), n, std::min(part, k - p),
                         {a.data + i * a.row + p * a.column, a.row, a.column}, {b.data + p * b.row, b.row, b.column},
                         c + i * row, row, p > 0, scratch);
}

}  // namespace keras

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#else

namespace keras {

bool hasGemm() { return false; }
int64_t gemmScratch(int64_t) { return 0; }
void gemm(int64_t, int64_t, int64_t, GemmMatrix, GemmMatrix, float*, int64_t, float*) {}

}  // namespace keras

#endif
