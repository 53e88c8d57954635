import { type DType, integerBounds, isFloat, type TensorSpec } from "../../../core/dtype.js";
import { NDArray, sizeOf } from "../../../core/ndarray.js";
import type { ArgReduceAttributes, CumulativeAttributes, ReduceAttributes } from "../../../primitives/reduce.js";
import type { Kernels } from "../../backend.js";
import { type Lane, laneOf, laneValues, narrowed, widened } from "../lanes.js";
import * as args from "../loops/arg-extreme.js";
import * as loops from "../loops/reduction.js";
import { runningProduct, runningProductInt, runningSum, type RunningFold } from "../loops/scan.js";
import { reduceInto } from "../reduce.js";
import { complexProduct, runningComplexProduct, withParts } from "../reduce-complex.js";

type Kernel<A> = (inputs: readonly NDArray[], attributes: A, outputs: readonly TensorSpec[]) => NDArray[];
type AnyReduction = loops.Reduction<Lane>;

/** The reductions of an op by kind of number. */
interface Reductions {
  readonly float: loops.Reduction<Float32Array>;
  readonly int: loops.Reduction<Int32Array | Uint32Array | Uint8Array>;
  readonly initial: (dtype: DType) => number;
}

/** Accumulators as an array of `dtype`; whole numbers wrap to the type's width. */
function result(sums: Float64Array, { shape, dtype }: TensorSpec): NDArray {
  const lane = laneOf(dtype);
  const values =
    lane === "float" ? Float32Array.from(sums) : lane === "uint" ? Uint32Array.from(sums) : Int32Array.from(sums);
  return narrowed(values, shape, dtype);
}

function reduction(op: string, { float, int, initial }: Reductions): Kernel<ReduceAttributes> {
  return ([x], { axes }, [spec]) => {
    const { dtype } = x!;
    if (dtype === "complex64") {
      if (op === "sum") return [withParts(reduceInto(...withoutPairs(x!, axes), float, 0), spec!)];
      if (op === "product") return [complexProduct(x!, axes, spec!)];
      throw new TypeError(`${op} is not defined for complex64 on the numpy engine.`);
    }
    const wide = widened(x!);
    const chosen = (laneOf(dtype) === "float" ? float : int) as AnyReduction;
    return [result(reduceInto(wide, axes, chosen, initial(dtype)), spec!)];
  };
}
/** A complex array as real numbers with a last axis of two. */
function withoutPairs(x: NDArray, axes: readonly number[]): [NDArray, readonly number[]] {
  const strides = [...x.strides.map((s) => 2 * s), 1];
  return [new NDArray(x.data, [...x.shape, 2], "float32", strides, 2 * x.offset), axes];
}

const lowestOf = (dtype: DType): number => (isFloat(dtype) ? -Infinity : (integerBounds[dtype]?.[0] ?? 0));
const highestOf = (dtype: DType): number =>
  isFloat(dtype) ? Infinity : dtype === "bool" ? 1 : integerBounds[dtype]![1];

/** Of bools, read as the bytes they are. */
const overBools =
  (fold: loops.Reduction<Uint8Array>, initial: number): Kernel<ReduceAttributes> =>
  ([x], { axes }, [spec]) => [new NDArray(Uint8Array.from(reduceInto(x!, axes, fold, initial)), spec!.shape, "bool")];

function argReduction(
  float: args.ArgLoop<Float32Array>,
  int: args.ArgLoop<Float32Array | Int32Array | Uint32Array>,
): Kernel<ArgReduceAttributes> {
  return ([x], { axis }, [spec]) => {
    const n = x!.shape[axis]!;
    if (n === 0)
      throw new RangeError(
        `argMax and argMin need at least one element on axis ${axis}. Received shape [${x!.shape}].`,
      );
    const wide = widened(x!);
    const loop = (laneOf(x!.dtype) === "float" ? float : int) as args.ArgLoop<Lane>;
    const out = new Int32Array(sizeOf(spec!.shape));
    const sizes = wide.shape.filter((_, i) => i !== axis);
    const steps = wide.strides.filter((_, i) => i !== axis);
    const data = wide.data as Lane;
    const step = wide.strides[axis]!;
    let filled = 0;
    const visit = (depth: number, at: number): void => {
      if (depth === sizes.length) out[filled++] = loop(n, data, at, step);
      else for (let i = 0; i < sizes[depth]!; i++) visit(depth + 1, at + i * steps[depth]!);
    };
    visit(0, wide.offset);
    return [new NDArray(out, spec!.shape, "int32")];
  };
}

function cumulative(float: RunningFold, int: RunningFold): Kernel<CumulativeAttributes> {
  return ([x], { axis, reverse }, [spec]) => {
    if (x!.dtype === "complex64" && int === runningProductInt) return [runningComplexProduct(x!, axis, reverse)];
    const values = laneValues(x!);
    const out = values.slice().fill(0) as Lane;
    const count = x!.shape[axis]!;
    // Parts of complex numbers are neighbouring sequences.
    const lines = sizeOf(x!.shape.slice(axis + 1)) * (x!.dtype === "complex64" ? 2 : 1);
    const sums = new Float64Array(lines);
    const fold = laneOf(x!.dtype) === "int" || laneOf(x!.dtype) === "uint" ? int : float;
    for (let start = 0; start < values.length; start += count * lines) {
      const first = reverse ? start + (count - 1) * lines : start;
      fold(count, lines, values, out, first, reverse ? -lines : lines, sums);
    }
    return [narrowed(out, spec!.shape, spec!.dtype)];
  };
}

export const reduceKernels = {
  sum: reduction("sum", { float: loops.sum, int: loops.sumInt, initial: () => 0 }),
  product: reduction("product", { float: loops.product, int: loops.productInt, initial: () => 1 }),
  max: reduction("max", { float: loops.max, int: loops.maxInt, initial: lowestOf }),
  min: reduction("min", { float: loops.min, int: loops.minInt, initial: highestOf }),
  all: overBools(loops.minInt, 1),
  any: overBools(loops.maxInt, 0),
  argMax: argReduction(args.argMax, args.argMaxInt),
  argMin: argReduction(args.argMin, args.argMinInt),
  cumulativeSum: cumulative(runningSum, runningSum),
  cumulativeProduct: cumulative(runningProduct, runningProductInt),
} satisfies Partial<Kernels<NDArray>>;
