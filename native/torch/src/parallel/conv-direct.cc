// Convolutions as sums over their windows, for all sizes and strides.
#include "parallel/threads.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "parallel/conv.h"
#include "loops/conv-loops.h"

namespace keras {

namespace {

// What positions along an axis see of a source of some size: from `first` on, `stride` further at each, `span` elements.
struct Axis {
  int64_t positions, stride, first, span;

  int64_t extent(int64_t count) const { return (count - 1) * stride + span; }
  bool isInside(int64_t size) const { return first >= 0 && first + extent(positions) <= size; }
};

// Bands of lines of positions in all images, the same band of each image after the other.
struct Bands {
  const float* source;
  int64_t batch, height, width, channels;
  Axis rows, columns;
  // Whether bands have to be copied, since some of them is outside of the image.
  bool copied;
  // Floats from line to line.
  int64_t pitch;
  // Lines of positions in a band.
  int64_t lines, count;

  Bands(const float* from, int64_t images, const int64_t (&size)[3], Axis down, Axis across, int64_t floats)
      : source(from), batch(images), height(size[0]), width(size[1]), channels(size[2]), rows(down), columns(across) {
    copied = !rows.isInside(height) || !columns.isInside(width);
    pitch = (copied ? columns.extent(columns.positions) : width) * channels;
    lines = std::min(rows.positions, std::max<int64_t>(1, (floats / pitch - rows.span) / rows.stride + 1));
    count = (rows.positions + lines - 1) / lines;
  }

  int64_t total() const { return count * batch; }
  int64_t bandOf(int64_t index) const { return index / batch; }
  int64_t imageOf(int64_t index) const { return index % batch; }
  int64_t linesOf(int64_t index) const { return std::min(lines, rows.positions - bandOf(index) * lines); }
  int64_t scratch() const { return copied ? rows.extent(lines) * pitch : 0; }

  // Where the first position of the band sees, in `memory` if it had to be copied.
  const float* read(int64_t index, float* memory) const {
    const float* image = source + imageOf(index) * height * width * channels;
    const int64_t first = bandOf(index) * lines * rows.stride + rows.first;
    if (!copied) return image + (first * width + columns.first) * channels;
    const int64_t across = columns.extent(columns.positions);
    const int64_t begin = std::max<int64_t>(0, columns.first);
    const int64_t end = std::max(begin, std::min(width, columns.first + across));
    float* to = memory;
    for (int64_t y = first; y < first + rows.extent(linesOf(index)); y++, to += pitch) {
      if (y < 0 || y >= height || end == begin) {
        std::fill(to, to + pitch, 0.f);
        continue;
      }
      float* inside = to + (begin - columns.first) * channels;
      const float* from = image + (y * width + begin) * channels;
      std::fill(to, inside, 0.f);
      std::copy(from, from + (end - begin) * channels, inside);
      std::fill(inside + (end - begin) * channels, to + pitch, 0.f);
    }
    return memory;
  }
};

// Some of the outputs: those at `first + step * position`, whose windows begin `shift` behind where the position sees.
struct Outputs {
  int64_t first[2], shift[2], taps[2];
  std::vector<float> panels;
};

struct Target {
  float* data;
  int64_t height, width, filters;
  int64_t step[2];
};

// Offsets of the inputs and outputs of a band's pixels, relative to the band and to the image.
struct Pixels {
  std::vector<int64_t> from, to;

  void find(const Bands& bands, int64_t index, const Outputs& part, const Target& target) {
    from.clear();
    to.clear();
    const int64_t start = bands.bandOf(index) * bands.lines;
    for (int64_t line = 0; line < bands.linesOf(index); line++) {
      const int64_t y = part.first[0] + target.step[0] * (start + line);
      if (y < 0 || y >= target.height) continue;
      for (int64_t i = 0; i < bands.columns.positions; i++) {
        const int64_t x = part.first[1] + target.step[1] * i;
        if (x < 0 || x >= target.width) continue;
        from.push_back((line * bands.rows.stride + part.shift[0]) * bands.pitch +
                       (i * bands.columns.stride + part.shift[1]) * bands.channels);
        to.push_back((y * target.width + x) * target.filters);
      }
    }
  }
};

void convolve(const Bands& bands, const std::vector<Outputs>& parts, const Target& target) {
  const int64_t work = bands.lines * bands.columns.positions * bands.rows.span * bands.columns.span * bands.channels *
                       target.filters;
  parallelFor(0, bands.total(), piecesPerThread(work), [&](int64_t begin, int64_t end) {
    const Scratch memory(bands.scratch());
    std::vector<Pixels> pixels(parts.size());
    for (int64_t index = begin; index < end; index++) {
      const float* x = bands.read(index, memory.data());
      float* y = target.data + bands.imageOf(index) * target.height * target.width * target.filters;
      const bool isNew = index == begin || bands.bandOf(index) != bands.bandOf(index - 1);
      for (size_t i = 0; i < parts.size(); i++) {
        if (isNew) pixels[i].find(bands, index, parts[i], target);
        const ConvWindow window{parts[i].taps[0], parts[i].taps[1] * bands.channels, bands.pitch};
        convolvePixels(x, window, pixels[i].from.data(), pixels[i].to.data(),
                       static_cast<int64_t>(pixels[i].from.size()), parts[i].panels.data(), target.filters, y);
      }
    }
  });
}

// Floats of a band for the second cache, and for the first.
constexpr int64_t farBand = 32 << 10, nearBand = 6 << 10;
// Most partial sums of a kernel's gradient, and floats of all together where they are not small.
constexpr int64_t mostSums = 16, mostSumFloats = 4 << 20;

Bands inputBands(const Convolution& c, const float* x, int64_t floats) {
  const Axis rows{c.outHeight, c.strideHeight, -c.top, c.windowHeight};
  const Axis columns{c.outWidth, c.strideWidth, -c.left, c.windowWidth};
  return Bands(x, c.batch, {c.height, c.width, c.channels}, rows, columns, floats);
}

// Taps of the window that meet an input at `phase` of a stride.
int64_t tapsOf(int64_t window, int64_t stride, int64_t phase) {
  return phase < window ? (window - 1 - phase) / stride + 1 : 0;
}

}  // namespace

void convolveDirectly(const Convolution& c, const float* x, const float* kernel, float* y) {
  const int64_t depth = c.taps() * c.channels;
  std::vector<Outputs> parts{{{0, 0}, {0, 0}, {c.windowHeight, c.windowWidth}, {}}};
  parts[0].panels.resize(static_cast<size_t>(panelsSize(depth, c.filters)));
  packPanels(kernel, depth, c.filters, c.filters, parts[0].panels.data());
  convolve(inputBands(c, x, farBand), parts, {y, c.outHeight, c.outWidth, c.filters, {1, 1}});
}

// Inputs at the same phase of the strides meet the same taps, so their gradients are a convolution of stride 1.
void inputGradientDirectly(const Convolution& c, const float* g, const float* kernel, float* dx) {
  const int64_t strides[] = {c.strideHeight, c.strideWidth}, windows[] = {c.windowHeight, c.windowWidth};
  const int64_t low[] = {c.top, c.left};
  const int64_t most[] = {tapsOf(windows[0], strides[0], 0), tapsOf(windows[1], strides[1], 0)};
  const int64_t size = c.channels * c.filters;
  std::vector<Outputs> parts;
  std::vector<float> turned;
  for (int64_t a = 0; a < strides[0]; a++)
    for (int64_t b = 0; b < strides[1]; b++) {
      const int64_t down = tapsOf(windows[0], strides[0], a), across = tapsOf(windows[1], strides[1], b);
      parts.push_back({{a - low[0], b - low[1]}, {most[0] - down, most[1] - across}, {down, across}, {}});
      turned.resize(static_cast<size_t>(down * across * size));
      float* to = turned.data();
      for (int64_t i = down; i-- > 0;)
        for (int64_t j = across; j-- > 0; to += size)
          transpose(kernel + ((a + i * strides[0]) * windows[1] + b + j * strides[1]) * size, c.channels, c.filters, to);
      std::vector<float>& panels = parts.back().panels;
      panels.resize(static_cast<size_t>(panelsSize(down * across * c.filters, c.channels)));
      packPanels(turned.data(), down * across * c.filters, c.channels, c.channels, panels.data());
    }
  const Axis rows{(c.height - 1 + low[0]) / strides[0] + 1, 1, 1 - most[0], most[0]};
  const Axis columns{(c.width - 1 + low[1]) / strides[1] + 1, 1, 1 - most[1], most[1]};
  convolve(Bands(g, c.batch, {c.outHeight, c.outWidth, c.filters}, rows, columns, farBand), parts,
           {dx, c.height, c.width, c.channels, {strides[0], strides[1]}});
}

void kernelGradientDirectly(const Convolution& c, const float* x, const float* g, float* dw) {
  const Bands bands = inputBands(c, x, nearBand);
  const int64_t depth = c.taps() * c.channels, filters = (c.filters + 7) / 8 * 8;
  std::vector<int64_t> rows;
  for (int64_t i = 0; i < c.windowHeight; i++)
    for (int64_t k = 0; k < c.windowWidth * c.channels; k++) rows.push_back(i * bands.pitch + k);
  // Sums of parts, which depend on the convolution alone, are added up in their order.
  const int64_t fit = std::max<int64_t>(4, std::min(mostSums, mostSumFloats / (depth * filters)));
  const int64_t parts = std::min(fit, bands.total());
  std::vector<float> sums(static_cast<size_t>(parts * depth * filters), 0.f);
  parallelFor(0, parts, 1, [&](int64_t begin, int64_t end) {
    const Scratch memory(bands.scratch());
    const Scratch widened(filters == c.filters ? 0 : bands.lines * c.outWidth * filters);
    for (int64_t part = begin; part < end; part++)
      for (int64_t index = part * bands.total() / parts; index < (part + 1) * bands.total() / parts; index++) {
        const float* from = bands.read(index, memory.data());
        const int64_t lines = bands.linesOf(index), first = bands.bandOf(index) * bands.lines;
        const float* gradient = g + bands.imageOf(index) * c.outSize() + first * c.outWidth * c.filters;
        if (filters != c.filters) {
          for (int64_t pixel = 0; pixel < lines * c.outWidth; pixel++) {
            float* to = widened.data() + pixel * filters;
            std::copy(gradient + pixel * c.filters, gradient + (pixel + 1) * c.filters, to);
            std::fill(to + c.filters, to + filters, 0.f);
          }
          gradient = widened.data();
        }
        const ConvBand band{lines, c.outWidth, c.strideHeight * bands.pitch, c.strideWidth * c.channels};
        addKernelGradient(from, rows.data(), depth, band, gradient, filters, sums.data() + part * depth * filters);
      }
  });
  for (int64_t part = 1; part < parts; part++) addTo(sums.data() + part * depth * filters, depth * filters, sums.data());
  for (int64_t k = 0; k < depth; k++)
    std::copy(sums.data() + k * filters, sums.data() + k * filters + c.filters, dw + k * c.filters);
}

}  // namespace keras
