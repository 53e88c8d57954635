import { type DType, isFloat, type Shape } from "../../../core/dtype.js";
import { NDArray, sizeOf } from "../../../core/ndarray.js";
import type { PoolAttributes } from "../../../primitives/index.js";
import type { Kernels } from "../../backend.js";
import { accelerator } from "../accelerator.js";
import type { Kernels as WasmKernels } from "../wasm/index.js";
import type { WindowShape } from "../wasm/window-shape.js";
import { onHeap } from "./on-heap.js";
import { wasmWindow } from "./wasm-window.js";
import { windowTable } from "./window-table.js";
import { fromWorkingValues, type WorkingArray, workingValues, workingZeros } from "./working-values.js";

/** The smallest value of a dtype, as its working value; that of uint32 is the same bits as 0. */
function lowest(dtype: DType): number {
  if (isFloat(dtype)) return -Infinity;
  const bits = { int8: 8, int16: 16, int32: 32 }[dtype as string];
  return bits ? -(2 ** (bits - 1)) : 0;
}

interface Pooling {
  readonly batch: number;
  readonly pixels: number;
  readonly positions: number;
  readonly taps: number;
  readonly channels: number;
  readonly table: Int32Array;
}
function poolingOf(input: Shape, output: Shape, attributes: PoolAttributes): Pooling {
  const [image, positions] = [input.slice(1, -1), output.slice(1, -1)];
  return {
    batch: input[0]!,
    pixels: sizeOf(image),
    positions: sizeOf(positions),
    taps: sizeOf(attributes.window),
    channels: input.at(-1)!,
    table: windowTable({ ...attributes, image, positions }),
  };
}

/** Calls `visit` with the output element and the input elements (through `at`, -1 outside) of each window. */
function forEachWindow(s: Pooling, visit: (output: number, at: (tap: number) => number) => void): void {
  let [base, position, channel] = [0, 0, 0];
  const at = (tap: number): number => {
    const pixel = s.table[position * s.taps + tap]!;
    return pixel < 0 ? -1 : (base + pixel) * s.channels + channel;
  };
  let output = 0;
  for (let image = 0; image < s.batch; image++) {
    base = image * s.pixels;
    for (position = 0; position < s.positions; position++)
      for (channel = 0; channel < s.channels; channel++) visit(output++, at);
  }
}

/** Input element of each window's first largest value, where NaN is larger than anything; -1 when all of the window lies outside. */
function winners(x: NDArray, output: Shape, attributes: PoolAttributes): { winner: Int32Array; values: WorkingArray } {
  const s = poolingOf(x.shape, output, attributes);
  const values = workingValues(x);
  const winner = new Int32Array(sizeOf(output));
  // uint32 values compare as unsigned through a flipped sign bit.
  const flip = x.dtype === "uint32" ? 0x80000000 : 0;
  const key = (i: number): number => (flip ? (values[i]! ^ flip) | 0 : values[i]!);
  forEachWindow(s, (o, at) => {
    let best = -1;
    let largest = 0;
    for (let tap = 0; tap < s.taps; tap++) {
      const i = at(tap);
      if (i < 0) continue;
      const value = key(i);
      if (best < 0 || value > largest || (value !== value && largest === largest)) {
        best = i;
        largest = value;
      }
    }
    winner[o] = best;
  });
  return { winner, values };
}

/** The compiled kernel's result for float32 over one or two axes; null where it cannot or need not be used. */
function compiled(
  operands: readonly NDArray[],
  [image, pooled]: readonly [Shape, Shape],
  attributes: PoolAttributes,
  shape: Shape,
  call: (wasm: WasmKernels, window: WindowShape, operands: readonly number[], out: number) => void,
): NDArray[] | null {
  const window = wasmWindow(image, attributes.window, pooled, attributes);
  if (!window || operands.some((x) => x.dtype !== "float32" || x.size === 0) || sizeOf(shape) < worthCopying)
    return null;
  const wasm = accelerator();
  if (!wasm) return null;
  const result = onHeap(wasm, operands, sizeOf(shape), (pointers, out) => call(wasm, window, pointers, out));
  return [new NDArray(result, shape, "float32")];
}
/** From this many results on, copying operands into the heap pays. */
const worthCopying = 1 << 10;

/** Pooling over windows of any rank, a window at a time. */
export const poolingKernels = {
  maxPool: ([x], attributes, [output]) => {
    const shapes = [x!.shape, output!.shape] as const;
    const fast = compiled([x!], shapes, attributes, output!.shape, (wasm, w, [a], out) => wasm.pool("max", w, a!, out));
    if (fast) return fast;
    const { winner, values } = winners(x!, output!.shape, attributes);
    const out = workingZeros(x!.dtype, winner.length);
    const outside = lowest(x!.dtype);
    for (let i = 0; i < winner.length; i++) out[i] = winner[i]! < 0 ? outside : values[winner[i]!]!;
    return [fromWorkingValues(out, output!.shape, x!.dtype)];
  },
  maxPoolGradient: ([x, g], attributes, [output]) => {
    const shapes = [x!.shape, g!.shape] as const;
    const fast = compiled([x!, g!], shapes, attributes, output!.shape, (wasm, w, [a, b], out) =>
      wasm.maxPoolGradient(w, a!, b!, out),
    );
    if (fast) return fast;
    const { winner } = winners(x!, g!.shape, attributes);
    const gradient = workingValues(g!);
    const out = workingZeros(g!.dtype, sizeOf(output!.shape));
    for (let i = 0; i < winner.length; i++) if (winner[i]! >= 0) out[winner[i]!]! += gradient[i]!;
    return [fromWorkingValues(out, output!.shape, output!.dtype)];
  },
  maxPoolSelect: ([x, t], attributes, [output]) => {
    const { winner } = winners(x!, output!.shape, attributes);
    const from = workingValues(t!);
    const out = workingZeros(t!.dtype, winner.length);
    for (let i = 0; i < winner.length; i++) out[i] = winner[i]! < 0 ? 0 : from[winner[i]!]!;
    return [fromWorkingValues(out, output!.shape, output!.dtype)];
  },
  sumPool: ([x], attributes, [output]) => {
    const shapes = [x!.shape, output!.shape] as const;
    const fast = compiled([x!], shapes, attributes, output!.shape, (wasm, w, [a], out) => wasm.pool("sum", w, a!, out));
    if (fast) return fast;
    const s = poolingOf(x!.shape, output!.shape, attributes);
    const from = workingValues(x!);
    const out = workingZeros(x!.dtype, sizeOf(output!.shape));
    forEachWindow(s, (o, at) => {
      let sum = 0;
      for (let tap = 0; tap < s.taps; tap++) {
        const i = at(tap);
        if (i >= 0) sum += from[i]!;
      }
      out[o] = sum;
    });
    return [fromWorkingValues(out, output!.shape, output!.dtype)];
  },
  sumPoolGradient: ([g], attributes, [output]) => {
    const shapes = [output!.shape, g!.shape] as const;
    const fast = compiled([g!], shapes, attributes, output!.shape, (wasm, w, [a], out) =>
      wasm.sumPoolGradient("sum", w, a!, out),
    );
    if (fast) return fast;
    const s = poolingOf(output!.shape, g!.shape, attributes);
    const gradient = workingValues(g!);
    const out = workingZeros(g!.dtype, sizeOf(output!.shape));
    forEachWindow(s, (o, at) => {
      for (let tap = 0; tap < s.taps; tap++) {
        const i = at(tap);
        if (i >= 0) out[i]! += gradient[o]!;
      }
    });
    return [fromWorkingValues(out, output!.shape, output!.dtype)];
  },
} satisfies Pick<Kernels<NDArray>, "maxPool" | "maxPoolGradient" | "maxPoolSelect" | "sumPool" | "sumPoolGradient">;
