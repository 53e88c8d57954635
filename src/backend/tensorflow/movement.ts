import { sizeOf } from "../../core/ndarray.js";
import { liesHere, type NativeKernel, type NativeKernels } from "./native.js";
import { reshaped, run } from "./run.js";
import { Value } from "./value.js";

/** Kernels that move elements of more axes than this are wrong or fall back to slow loops. */
const MAX_RANK = 5;

const movable = (inputs: readonly Value[], shape: readonly number[]): boolean =>
  inputs.every((x) => x.isTensor && x.size > 0 && x.shape.length <= MAX_RANK) &&
  sizeOf(shape) > 0 &&
  shape.length <= MAX_RANK;

const reshape: NativeKernel<{ readonly shape: readonly number[] }> = ([x], _, [spec]) =>
  x!.isTensor ? [Value.ofTensor(reshaped(x!.tensor, spec!.shape), spec!)] : null;

/** Movement of elements that lie with TensorFlow.js; strided slices, spread or cutting padding and the rest go to the built-in engine. */
export const movementKernels = {
  reshape,
  stopGradient: ([x]) => [x!.retain()],
  transpose: ([x], { permutation }, [spec]) =>
    movable([x!], spec!.shape) && x!.dtype !== "bool"
      ? [Value.ofTensor(run("Transpose", { x: x!.tensor }, { perm: permutation }), spec!)]
      : null,
  slice: ([x], { start, strides }, [spec]) =>
    movable([x!], spec!.shape) && x!.shape.length <= 4 && strides.every((step) => step === 1)
      ? [Value.ofTensor(run("Slice", { x: x!.tensor }, { begin: start, size: spec!.shape }), spec!)]
      : null,
  concatenate: (inputs, { axis }, [spec]) => {
    if (!movable(inputs, spec!.shape) || inputs.some((x) => x.dtype !== "float32")) return null;
    const tensors = Object.fromEntries(inputs.map((x, i) => [i, x.tensor]));
    return [Value.ofTensor(run("Concat", asList(tensors), { axis }), spec!)];
  },
  pad: ([x], { low, high, interior, value }, [spec]) => {
    const plain = [...low, ...high].every((n) => n >= 0) && interior.every((n) => n === 0);
    if (!plain || !movable([x!], spec!.shape) || x!.dtype !== "float32") return null;
    const paddings = low.map((n, i) => [n, high[i]!]);
    return [Value.ofTensor(run("PadV2", { x: x!.tensor }, { paddings, constantValue: value }), spec!)];
  },
  broadcastTo: ([x], _, [spec]) => {
    if (x!.dtype !== "float32" || !liesHere([x!]) || !movable([x!], spec!.shape)) return null;
    // The Tile kernel is some forty times slower than adding to zeros.
    const zeros = run("Fill", {}, { shape: spec!.shape, value: -0, dtype: "float32" });
    try {
      return [Value.ofTensor(run("Add", { a: x!.tensor, b: zeros }), spec!)];
    } finally {
      zeros.dispose();
    }
  },
} satisfies NativeKernels;

/** Concat takes its inputs as a list. */
const asList = <T>(byIndex: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.values(byIndex) as unknown as Readonly<Record<string, T>>;
