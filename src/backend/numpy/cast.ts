import { type DType, integerBounds, isComplex, isFloat, type TensorSpec } from "../../core/dtype.js";
import type { NDArray } from "../../core/ndarray.js";
import { type TypedArray } from "../../core/ndarray.js";
import { mapUnary, type UnaryLoops } from "./elementwise.js";
import { codecOf, laneOf, type LaneName } from "./lanes.js";

type AnyLoop = (n: number, x: TypedArray, xi: number, out: TypedArray, o: number) => void;

const convert: AnyLoop = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]!;
};
const intToFloat = (n: number, x: Int32Array, xi: number, out: Float32Array, o: number): void => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]!;
};
/** Float32 to int32: truncated, limited to the range, NaN to 0. */
const floatToInt = (n: number, x: Float32Array, xi: number, out: Int32Array, o: number): void => {
  for (let i = 0; i < n; i++) {
    const v = x[xi + i]!;
    out[o + i] = v >= 2147483647 ? 2147483647 : v <= -2147483648 ? -2147483648 : v;
  }
};
const saturating =
  (lowest: number, highest: number): AnyLoop =>
  (n, x, xi, out, o) => {
    for (let i = 0; i < n; i++) {
      const v = x[xi + i] as number;
      out[o + i] = v >= highest ? highest : v <= lowest ? lowest : v;
    }
  };
const floatLoops = new Map<DType, AnyLoop>(
  Object.entries(integerBounds).map(([dtype, [lowest, highest]]) => [
    dtype as DType,
    dtype === "int32" ? (floatToInt as AnyLoop) : saturating(lowest, highest),
  ]),
);
const nonZero: AnyLoop = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i] === 0 ? 0 : 1;
};
const nonZeroComplex: AnyLoop = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[2 * (xi + i)] === 0 && x[2 * (xi + i) + 1] === 0 ? 0 : 1;
};
const toComplex: AnyLoop = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) {
    out[2 * (o + i)] = x[xi + i]!;
    out[2 * (o + i) + 1] = 0;
  }
};
const realPart: AnyLoop = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[2 * (xi + i)]!;
};

/** The loop from the lane of `from` to the lane of `to`, not counting narrowing, which the blocks' sink does. */
function loopFor(from: DType, to: DType): AnyLoop {
  if (to === "bool") return isComplex(from) ? nonZeroComplex : nonZero;
  if (isComplex(to)) return toComplex;
  if (isComplex(from)) return realPart;
  if (isFloat(from) && !isFloat(to)) return floatLoops.get(to)!;
  return isFloat(to) && laneOf(from) === "int" ? (intToFloat as AnyLoop) : convert;
}

/** A loop table that serves whichever lane the operand has. */
function forAnyLane(loop: AnyLoop): UnaryLoops {
  const lanes: Record<LaneName, AnyLoop> = { float: loop, int: loop, uint: loop, complex: loop };
  return lanes as unknown as UnaryLoops;
}

const tables = new Map<AnyLoop, UnaryLoops>();
function tableOf(loop: AnyLoop): UnaryLoops {
  let table = tables.get(loop);
  if (!table) tables.set(loop, (table = forAnyLane(loop)));
  return table;
}

/**
 * `x` converted to `dtype` as XLA does it on CPUs: floats to integers truncate and saturate, with NaN as 0; integers to
 * narrower ones keep the low bits; anything to bool is `!== 0`; complex numbers lose the imaginary part.
 */
export function castArray(x: NDArray, dtype: DType): NDArray {
  if (x.dtype === dtype) return x;
  codecOf(dtype);
  const spec: TensorSpec = { shape: x.shape, dtype };
  if (isComplex(x.dtype) && !isFloat(dtype) && dtype !== "bool") {
    return castArray(castArray(x, "float32"), dtype);
  }
  return mapUnary("cast", tableOf(loopFor(x.dtype, dtype)), x, spec, dtype === "bool");
}
