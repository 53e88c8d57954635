import { dtypeBytes } from "../../../core/dtype.js";
import { sizeOf } from "../../../core/ndarray.js";
import type { Kernels, Reduction } from "../wasm/kernels.js";
import type { Lower } from "./lower.js";
import type { Lowering } from "./lowering.js";
import { isContiguous, reshapeView, transposeView, type View, wholeOf } from "./view.js";

/** The axes ordered as they lie in memory, with the operand seen so; a copy where the view has gaps or repeats. */
function inMemoryOrder(lowering: Lowering, view: View): { view: View; order: number[] } {
  const order = [...view.shape.keys()].sort((a, b) => view.strides[b]! - view.strides[a]! || a - b);
  const sorted = transposeView(view, order);
  if (isContiguous(sorted)) return { view: sorted, order };
  return { view: lowering.contiguous(view), order: [...view.shape.keys()] };
}

/** Runs of neighbouring axes that are reduced, as [outer, n, inner] of what is left, last run first. */
function passesOf(
  shape: readonly number[],
  reduced: readonly boolean[],
): { outer: number; n: number; inner: number }[] {
  const passes: { outer: number; n: number; inner: number }[] = [];
  let inner = 1;
  let axis = shape.length - 1;
  while (axis >= 0) {
    if (!reduced[axis]) {
      inner *= shape[axis--]!;
      continue;
    }
    let n = 1;
    // Kept axes of size 1 do not part a run.
    while (axis >= 0 && (reduced[axis] || shape[axis] === 1)) n *= shape[axis--]!;
    passes.push({ outer: sizeOf(shape.slice(0, axis + 1)), n, inner });
  }
  return passes;
}

type Reduce = (wasm: Kernels, x: number, y: number, outer: number, n: number, inner: number) => void;

const reduction =
  (name: string, kernelDType: "float32" | "bool", reduce: Reduce): Lower =>
  (lowering, { inputs, outputs, attributes }) => {
    const { shape, dtype } = lowering.spec(outputs[0]!);
    const { axes } = attributes as { axes: readonly number[] };
    const x = lowering.view(inputs[0]!);
    if (dtype !== kernelDType || sizeOf(shape) === 0 || sizeOf(x.shape) === 0) return false;
    const { view, order } = inMemoryOrder(lowering, x);
    const passes = passesOf(
      view.shape,
      order.map((axis) => axes.includes(axis)),
    );
    let from = view;
    const kept = order.filter((axis) => !axes.includes(axis));
    const keptShape = kept.map((axis) => x.shape[axis]!);
    for (const { outer, n, inner } of passes) {
      const source = from;
      const root = lowering.root(dtype, outer * inner);
      lowering.step({
        name,
        reads: [source],
        writes: [root],
        prepare: ({ of }) => {
          const { wasm } = lowering;
          const offset = dtypeBytes(dtype) * source.offset;
          return () => reduce(wasm, of[source.root.id]! + offset, of[root.id]!, outer, n, inner);
        },
      });
      from = wholeOf(root, [outer * inner]);
    }
    // What is left lies in memory order; the result lists its axes in the program's.
    const back = [...kept].sort((a, b) => a - b).map((axis) => kept.indexOf(axis));
    const result = transposeView(reshapeView(from, keptShape)!, back);
    lowering.define(outputs[0]!, reshapeView(result, shape) ?? reshapeView(lowering.contiguous(result), shape)!);
    return true;
  };

const argReduction =
  (kind: "max" | "min"): Lower =>
  (lowering, { op, inputs, outputs, attributes }) => {
    const { axis } = attributes as { axis: number };
    const x = lowering.contiguous(lowering.view(inputs[0]!));
    if (x.dtype !== "float32" || sizeOf(x.shape) === 0) return false;
    const [outer, n, inner] = [sizeOf(x.shape.slice(0, axis)), x.shape[axis]!, sizeOf(x.shape.slice(axis + 1))];
    const writes = lowering.results(outputs);
    lowering.step(
      {
        name: op,
        reads: [x],
        writes,
        prepare:
          ({ of }) =>
          () =>
            lowering.wasm.argExtreme(kind, of[x.root.id]! + 4 * x.offset, of[writes[0]!.id]!, outer, n, inner),
      },
      outputs,
    );
    return true;
  };

const floats = (kind: Reduction): Lower =>
  reduction(kind, "float32", (wasm, x, y, outer, n, inner) => wasm.reduce(kind, x, y, outer, n, inner));
const bools = (kind: "all" | "any"): Lower =>
  reduction(kind, "bool", (wasm, x, y, outer, n, inner) => wasm.reduceBools(kind, x, y, outer, n, inner));

/** Reductions of float32 and of bools, by the compiled kernels; axes that are apart are reduced one run after another. */
export const lowerReduce: Readonly<Record<string, Lower>> = {
  sum: floats("sum"),
  max: floats("max"),
  min: floats("min"),
  product: floats("prod"),
  all: bools("all"),
  any: bools("any"),
  argMax: argReduction("max"),
  argMin: argReduction("min"),
};
