import { NDArray, sizeOf } from "../../../core/ndarray.js";
import type { Shape } from "../../../core/dtype.js";
import type { ConvolutionAttributes } from "../../../primitives/index.js";
import type { Kernels } from "../../backend.js";
import { accelerator } from "../accelerator.js";
import type { Kernels as WasmKernels } from "../wasm/index.js";
import type { WindowShape } from "../wasm/window-shape.js";
import { multiplyMatrices } from "./gemm.js";
import { onHeap } from "./on-heap.js";
import { wasmWindow } from "./wasm-window.js";
import { windowTable } from "./window-table.js";
import { bilinear, fromWorkingValues, type WorkingArray, workingValues, workingZeros } from "./working-values.js";

/** Sizes of one convolution, with the spatial axes flattened. */
interface Sizes {
  readonly batch: number;
  readonly pixels: number;
  readonly positions: number;
  readonly taps: number;
  readonly groups: number;
  /** Input channels and filters of one group. */
  readonly channels: number;
  readonly filters: number;
  readonly table: Int32Array;
}

function sizesOf(x: Shape, kernel: Shape, y: Shape, attributes: ConvolutionAttributes): Sizes {
  const rank = attributes.strides.length;
  const [image, window, positions] = [x.slice(1, -1), kernel.slice(0, rank), y.slice(1, -1)];
  return {
    batch: x[0]!,
    pixels: sizeOf(image),
    positions: sizeOf(positions),
    taps: sizeOf(window),
    groups: attributes.groups,
    channels: kernel[rank]!,
    filters: kernel[rank + 1]! / attributes.groups,
    table: windowTable({ ...attributes, image, window, positions }),
  };
}

/** The image's values under the window of one group, [positions, taps · channels]; transposed: [taps · channels, positions]. */
function unfold(x: WorkingArray, s: Sizes, image: number, group: number, to: WorkingArray, transposed: boolean): void {
  const row = s.groups * s.channels;
  const width = s.taps * s.channels;
  const base = image * s.pixels * row + group * s.channels;
  for (let p = 0; p < s.positions; p++) {
    for (let t = 0; t < s.taps; t++) {
      const pixel = s.table[p * s.taps + t]!;
      const from = base + pixel * row;
      for (let c = 0; c < s.channels; c++) {
        const k = t * s.channels + c;
        to[transposed ? k * s.positions + p : p * width + k] = pixel < 0 ? 0 : x[from + c]!;
      }
    }
  }
}

/** Adds unfolded values back to the pixels they were read from. */
function fold(columns: WorkingArray, s: Sizes, image: number, group: number, x: WorkingArray): void {
  const row = s.groups * s.channels;
  const base = image * s.pixels * row + group * s.channels;
  for (let i = 0; i < s.positions * s.taps; i++) {
    const pixel = s.table[i]!;
    if (pixel < 0) continue;
    const to = base + pixel * row;
    for (let c = 0; c < s.channels; c++) x[to + c]! += columns[i * s.channels + c]!;
  }
}

/** Columns of one group out of a row-major matrix [rows, groups · width], as [rows, width] or [width, rows]. */
function groupColumns(
  from: WorkingArray,
  offset: number,
  { rows, groups, width, group }: { rows: number; groups: number; width: number; group: number },
  transposed: boolean,
): WorkingArray {
  const to = from.slice(0, 0).constructor as new (n: number) => WorkingArray;
  const out = new to(rows * width);
  const step = groups * width;
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < width; c++)
      out[transposed ? c * rows + r : r * width + c] = from[offset + r * step + group * width + c]!;
  return out;
}

/** Writes [rows, width] into the columns of one group of a row-major matrix [rows, groups · width], or adds it there. */
function putGroupColumns(
  values: WorkingArray,
  to: WorkingArray,
  offset: number,
  { rows, groups, width, group }: { rows: number; groups: number; width: number; group: number },
  add = false,
): void {
  const step = groups * width;
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < width; c++) {
      const at = offset + r * step + group * width + c;
      to[at] = (add ? to[at]! : 0) + values[r * width + c]!;
    }
  }
}

/** The compiled kernel's result for float32 over one or two axes; null where it cannot or need not be used. */
function compiled(
  operands: readonly [NDArray, NDArray],
  shape: Shape,
  window: WindowShape | null,
  call: (wasm: WasmKernels, window: WindowShape, x: number, y: number, out: number) => void,
): NDArray | null {
  const [x, y] = operands;
  if (!window || x.dtype !== "float32" || x.size === 0 || y.size === 0 || sizeOf(shape) === 0) return null;
  const wasm = accelerator();
  if (!wasm) return null;
  const result = onHeap(wasm, operands, sizeOf(shape), ([a, b], out) => call(wasm, window, a!, b!, out));
  return new NDArray(result, shape, "float32");
}

function forward(x: NDArray, kernel: NDArray, attributes: ConvolutionAttributes, shape: Shape): NDArray {
  const window = wasmWindow(x.shape, kernel.shape.slice(0, -2), shape, attributes);
  const fast = compiled([x, kernel], shape, window, (wasm, w, a, b, out) => wasm.convForward(w, a, b, out));
  if (fast) return fast;
  const s = sizesOf(x.shape, kernel.shape, shape, attributes);
  const [from, weights] = [workingValues(x), workingValues(kernel)];
  const out = workingZeros(x.dtype, sizeOf(shape));
  const k = s.taps * s.channels;
  const columns = workingZeros(x.dtype, s.positions * k);
  const result = workingZeros(x.dtype, s.positions * s.filters);
  for (let group = 0; group < s.groups; group++) {
    const b = groupColumns(weights, 0, { rows: k, groups: s.groups, width: s.filters, group }, true);
    for (let image = 0; image < s.batch; image++) {
      unfold(from, s, image, group, columns, false);
      multiplyMatrices({ m: s.positions, n: s.filters, k, a: columns, b, c: result });
      const place = { rows: s.positions, groups: s.groups, width: s.filters, group };
      putGroupColumns(result, out, image * s.positions * s.groups * s.filters, place);
    }
  }
  return fromWorkingValues(out, shape, x.dtype);
}

function inputGradient(g: NDArray, kernel: NDArray, attributes: ConvolutionAttributes, shape: Shape): NDArray {
  const window = wasmWindow(shape, kernel.shape.slice(0, -2), g.shape, attributes);
  const fast = compiled([g, kernel], shape, window, (wasm, w, a, b, out) => wasm.convInputGradient(w, a, b, out));
  if (fast) return fast;
  const s = sizesOf(shape, kernel.shape, g.shape, attributes);
  const [from, weights] = [workingValues(g), workingValues(kernel)];
  const out = workingZeros(g.dtype, sizeOf(shape));
  const n = s.taps * s.channels;
  const columns = workingZeros(g.dtype, s.positions * n);
  for (let group = 0; group < s.groups; group++) {
    const b = groupColumns(weights, 0, { rows: n, groups: s.groups, width: s.filters, group }, false);
    for (let image = 0; image < s.batch; image++) {
      const place = { rows: s.positions, groups: s.groups, width: s.filters, group };
      const a = groupColumns(from, image * s.positions * s.groups * s.filters, place, false);
      multiplyMatrices({ m: s.positions, n, k: s.filters, a, b, c: columns });
      fold(columns, s, image, group, out);
    }
  }
  return fromWorkingValues(out, shape, g.dtype);
}

function kernelGradient(x: NDArray, g: NDArray, attributes: ConvolutionAttributes, shape: Shape): NDArray {
  const window = wasmWindow(x.shape, shape.slice(0, -2), g.shape, attributes);
  const fast = compiled([x, g], shape, window, (wasm, w, a, b, out) => wasm.convKernelGradient(w, a, b, out));
  if (fast) return fast;
  const s = sizesOf(x.shape, shape, g.shape, attributes);
  const [from, gradient] = [workingValues(x), workingValues(g)];
  const out = workingZeros(x.dtype, sizeOf(shape));
  const m = s.taps * s.channels;
  const columns = workingZeros(x.dtype, s.positions * m);
  const result = workingZeros(x.dtype, m * s.filters);
  for (let group = 0; group < s.groups; group++) {
    for (let image = 0; image < s.batch; image++) {
      unfold(from, s, image, group, columns, true);
      const place = { rows: s.positions, groups: s.groups, width: s.filters, group };
      const b = groupColumns(gradient, image * s.positions * s.groups * s.filters, place, true);
      multiplyMatrices({ m, n: s.filters, k: s.positions, a: columns, b, c: result });
      putGroupColumns(result, out, 0, { rows: m, groups: s.groups, width: s.filters, group }, true);
    }
  }
  return fromWorkingValues(out, shape, x.dtype);
}

/** Convolutions of any rank: the image under the window is unfolded to a matrix (im2col), one image and group at a time. */
export const convolutionKernels = {
  convolution: ([x, kernel], attributes, [output]) => [
    bilinear((a, b) => forward(a, b, attributes, output!.shape))(x!, kernel!),
  ],
  convolutionInputGradient: ([g, kernel], attributes, [output]) => [
    bilinear((a, b) => inputGradient(a, b, attributes, output!.shape))(g!, kernel!),
  ],
  convolutionKernelGradient: ([x, g], attributes, [output]) => [
    bilinear((a, b) => kernelGradient(a, b, attributes, output!.shape))(x!, g!),
  ],
} satisfies Pick<Kernels<NDArray>, "convolution" | "convolutionInputGradient" | "convolutionKernelGradient">;
