// Convolutions with windows of 3x3 and stride 1, by tiles of 2x2 outputs.
#include "parallel/threads.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "parallel/conv.h"
#include "loops/conv-loops.h"
#include "loops/conv-winograd.h"

namespace keras {

namespace {

// The tiles of all images, numbered row after row.
struct Tiles {
  int64_t across, down, total;

  explicit Tiles(const Convolution& c)
      : across((c.outWidth + 1) / 2), down((c.outHeight + 1) / 2), total(c.batch * down * across) {}

  // Calls `visit(image, row of tiles, first tile of the row, tiles, place in the block)` for the tiles from `begin` to `end`.
  template <typename Visit>
  void eachRow(int64_t begin, int64_t end, Visit visit) const {
    for (int64_t t = begin; t < end;) {
      const int64_t row = t / across, first = t % across;
      const int64_t count = std::min(across - first, end - t);
      visit(row / down, row % down, first, count, t - begin);
      t += count;
    }
  }
};

// Tiles of a block: multiples of 6, whose transformed images take about so many floats.
int64_t tilesPerBlock(const Convolution& c, int64_t floats) {
  const int64_t fit = floats / (16 * (c.channels + c.filters));
  return std::min<int64_t>(96, std::max<int64_t>(24, fit / 6 * 6));
}

// A block of transformed inputs, and the zeros around images.
class InputBlock {
 public:
  InputBlock(const Convolution& c, int64_t tiles)
      : c_(c), zeros_(c.width * c.channels), block_(16 * winogradPitch(tiles, c.channels)) {
    std::fill_n(zeros_.data(), c.width * c.channels, 0.f);
  }

  const float* read(const Tiles& tiles, const float* x, int64_t begin, int64_t end) const {
    const int64_t pitch = winogradPitch(end - begin, c_.channels);
    tiles.eachRow(begin, end, [&](int64_t image, int64_t row, int64_t first, int64_t count, int64_t place) {
      WinogradRow inputs{{}, c_.width, 2 * first - c_.left, count, c_.channels};
      for (int64_t i = 0; i < 4; i++) {
        const int64_t y = 2 * row - c_.top + i;
        const bool inside = y >= 0 && y < c_.height;
        inputs.rows[i] = inside ? x + image * c_.imageSize() + y * c_.width * c_.channels : zeros_.data();
      }
      winogradInput(inputs, block_.data() + place * c_.channels, pitch);
    });
    return block_.data();
  }

 private:
  const Convolution& c_;
  Scratch zeros_, block_;
};

WinogradRow outputRow(const Convolution& c, const float* y, int64_t image, int64_t row, int64_t first, int64_t count) {
  const float* above = y + image * c.outSize() + 2 * row * c.outWidth * c.filters;
  const float* below = 2 * row + 1 < c.outHeight ? above + c.outWidth * c.filters : nullptr;
  return {{above, below, nullptr, nullptr}, c.outWidth, 2 * first, count, c.filters};
}

}  // namespace

bool isWinograd(const Convolution& c) {
  return c.windowHeight == 3 && c.windowWidth == 3 && c.strideHeight == 1 && c.strideWidth == 1 && c.channels % 8 == 0 &&
         c.filters % 8 == 0 && c.top <= 2 && c.left <= 2;
}

bool convolveByTiles(const Convolution& c, const float* x, const float* kernel, float* y) {
  const Tiles tiles(c);
  const int64_t most = tilesPerBlock(c, 48 << 10), blocks = (tiles.total + most - 1) / most;
  const Scratch transformed(16 * c.channels * c.filters);
  const int64_t panels = (c.filters + panelWidth - 1) / panelWidth;
  parallelFor(0, panels, piecesPerThread(32 * panelWidth * c.channels), [&](int64_t begin, int64_t end) {
    winogradKernel(kernel, c.channels, c.filters, begin * panelWidth, std::min(end * panelWidth, c.filters),
                   transformed.data());
  });
  std::atomic<bool> finite{true};
  parallelFor(0, blocks, piecesPerThread(16 * most * c.channels * c.filters), [&](int64_t begin, int64_t end) {
    const InputBlock inputs(c, most);
    const Scratch products(16 * winogradPitch(most, c.filters));
    for (int64_t index = begin; index < end; index++) {
      const int64_t from = index * most, to = std::min(from + most, tiles.total);
      const float* block = inputs.read(tiles, x, from, to);
      winogradMultiply(block, transformed.data(), to - from, c.channels, c.filters, products.data());
      tiles.eachRow(from, to, [&](int64_t image, int64_t row, int64_t first, int64_t count, int64_t place) {
        if (!winogradOutput(products.data() + place * c.filters, winogradPitch(to - from, c.filters),
                            outputRow(c, y, image, row, first, count)))
          finite = false;
      });
    }
  });
  return finite;
}

bool inputGradientByTiles(const Convolution& c, const float* g, const float* kernel, float* dx) {
  // A convolution of the gradient with the kernel turned around.
  const int64_t size = c.channels * c.filters;
  const Scratch turned(9 * size);
  parallelFor(0, 9, piecesPerThread(4 * size), [&](int64_t begin, int64_t end) {
    for (int64_t tap = begin; tap < end; tap++)
      transpose(kernel + (8 - tap) * size, c.channels, c.filters, turned.data() + tap * size);
  });
  const Convolution back{c.batch, c.outHeight, c.outWidth, c.filters, 3,        3,      c.channels,
                         1,       1,           2 - c.top,  2 - c.left, c.height, c.width};
  return convolveByTiles(back, g, turned.data(), dx);
}

bool kernelGradientByTiles(const Convolution& c, const float* x, const float* g, float* dw) {
  const Tiles tiles(c);
  const int64_t most = tilesPerBlock(c, 96 << 10), blocks = (tiles.total + most - 1) / most;
  // Sums of parts, which depend on the convolution alone, are added up in their order.
  const int64_t size = c.channels * c.filters;
  const int64_t parts = std::max<int64_t>(1, std::min<int64_t>({8, tiles.total / 128, blocks}));
  const Scratch sums(parts * 16 * size);
  parallelFor(0, parts, 1, [&](int64_t begin, int64_t end) {
    const InputBlock inputs(c, most);
    const Scratch gradients(16 * winogradPitch(most, c.filters));
    for (int64_t part = begin; part < end; part++) {
      float* sum = sums.data() + part * 16 * size;
      std::memset(sum, 0, static_cast<size_t>(16 * size) * sizeof(float));
      for (int64_t index = part * blocks / parts; index < (part + 1) * blocks / parts; index++) {
        const int64_t from = index * most, to = std::min(from + most, tiles.total);
        const float* block = inputs.read(tiles, x, from, to);
        tiles.eachRow(from, to, [&](int64_t image, int64_t row, int64_t first, int64_t count, int64_t place) {
          winogradGradient(outputRow(c, g, image, row, first, count), gradients.data() + place * c.filters,
                           winogradPitch(to - from, c.filters));
        });
        winogradAddProducts(block, gradients.data(), to - from, c.channels, c.filters, sum);
      }
    }
  });
  std::atomic<bool> finite{true};
  parallelFor(0, c.channels, piecesPerThread(16 * parts * c.filters), [&](int64_t begin, int64_t end) {
    for (int64_t part = 1; part < parts; part++)
      for (int64_t i = 0; i < 16; i++) {
        const int64_t at = i * size + begin * c.filters;
        addTo(sums.data() + part * 16 * size + at, (end - begin) * c.filters, sums.data() + at);
      }
    if (!winogradKernelGradient(sums.data(), c.channels, c.filters, begin, end, dw)) finite = false;
  });
  return finite;
}

}  // namespace keras
