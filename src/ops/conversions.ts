import { promoted, resultType, toTensor } from "../core/convert.js";
import { type DType, isFloat, isInteger } from "../core/dtype.js";
import { isForeignArray } from "../core/foreign.js";
import { KerasTensor } from "../core/keras-tensor.js";
import { type ArrayLikeData, NDArray, shrunk } from "../core/ndarray.js";
import { defineOp } from "../core/op.js";
import { Operand } from "../core/operand.js";
import { Tensor, type TensorLike } from "../core/tensor.js";
import { Variable } from "../core/variable.js";
import * as P from "../primitives/index.js";
import { constant, givenDType } from "./support.js";

interface ConvertOptions {
  dtype?: DType | null | undefined;
  /** Accepted for Keras's sake; tensors are dense. */
  sparse?: boolean | null | undefined;
  /** Ragged tensors do not exist; true is an error. */
  ragged?: boolean | null | undefined;
}
/** `x` as a tensor, of `dtype` if that is given. Lists may hold tensors of one shape, which are stacked. */
export const convertToTensor = defineOp(
  "core.ConvertToTensor",
  (x: TensorLike | readonly TensorLike[], { dtype = null, ragged = null }: ConvertOptions = {}): Tensor => {
    if (ragged) throw new TypeError("convertToTensor: ragged tensors are not supported. Pad the rows to one length.");
    return toTensor(Array.isArray(x) && holdsTensors(x) ? stacked(x) : (x as TensorLike), givenDType(dtype));
  },
);
const holdsTensors = (x: readonly unknown[]): boolean =>
  x.some(
    (item) =>
      item instanceof Operand ||
      item instanceof NDArray ||
      isForeignArray(item) ||
      (Array.isArray(item) && holdsTensors(item)),
  );
/** Nested lists with tensors in them, as one tensor. */
function stacked(x: readonly unknown[]): Tensor {
  const parts = promoted(
    x.map((item) => (Array.isArray(item) && holdsTensors(item) ? stacked(item) : item) as TensorLike),
  );
  return P.concatenate(
    parts.map((part) => P.reshape(part, [1, ...part.shape])),
    0,
  );
}

/** The values of `x` on the host, in at most 32 bits as tensors have them. A symbolic tensor is a TypeError: it has none. */
export async function convertToNumpy(x: TensorLike): Promise<NDArray> {
  if (x instanceof Variable) return x.value.data();
  if (x instanceof Tensor) return x.data();
  if (x instanceof KerasTensor)
    throw new TypeError(`convertToNumpy expects a tensor with values. Received the symbolic ${x.name}.`);
  return shrunk(NDArray.from(x as ArrayLikeData));
}

/** Whether `x` is a tensor with values; symbolic tensors, variables and arrays are not. */
export const isTensor = (x: unknown): x is Tensor => x instanceof Tensor;

/** Name of the element type of `x`. */
const dtypeOf = (x: TensorLike): DType => resultType(x);
export { dtypeOf as dtype };

/** Sizes of the axes of `x`; null where a symbolic tensor does not know. */
export const shape = (x: TensorLike): readonly (number | null)[] =>
  x instanceof Operand || x instanceof NDArray || isForeignArray(x) ? x.shape : NDArray.from(x as ArrayLikeData).shape;

/** Smallest and largest value of each dtype tensors have. */
const ranges: Partial<Record<DType, readonly [number, number]>> = {
  bool: [0, 1],
  uint8: [0, 255],
  uint16: [0, 65535],
  uint32: [0, 2 ** 32 - 1],
  int8: [-128, 127],
  int16: [-(2 ** 15), 2 ** 15 - 1],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  float16: [-65504, 65504],
  bfloat16: [-3.3895313892515355e38, 3.3895313892515355e38],
  float32: [-3.4028234663852886e38, 3.4028234663852886e38],
  float8_e4m3fn: [-448, 448],
  float8_e5m2: [-57344, 57344],
};
/** Bits of the significand of float types. */
const precision: Partial<Record<DType, number>> = {
  float32: 24,
  float16: 11,
  bfloat16: 8,
  float8_e4m3fn: 4,
  float8_e5m2: 3,
};

/** The value of a float type nearest to an integer bound of size 2ᵏ - 1, on the side of zero. */
function towardsZero(bound: number, bits: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(Math.abs(bound) || 1)) + 1 - bits);
  return Math.trunc(bound / step) * step;
}

/** Converts to another dtype; what lies outside its range becomes the nearest value in it. */
export const saturateCast = defineOp(
  "core.SaturateCast",
  (x: TensorLike, dtype: string): Tensor => {
    const t = toTensor(x);
    const target = givenDType(dtype)!;
    const cast = toTensor(0, target).dtype;
    const [from, to] = [ranges[t.dtype], ranges[cast]];
    if (!from || !to || t.dtype === "bool" || t.dtype === cast) return P.cast(t, cast);
    const bits = isFloat(t.dtype) && isInteger(cast) ? precision[t.dtype] : undefined;
    const bound = (value: number): number => (bits ? towardsZero(value, bits) : value);
    const low = bound(Math.max(from[0], to[0]));
    const high = bound(Math.min(from[1], to[1]));
    const above = low > from[0] ? P.maximum(t, constant(low, t)) : t;
    const within = P.cast(high < from[1] ? P.minimum(above, constant(high, t)) : above, cast);
    // The largest integer may lie between two floats.
    const isInexact = high < to[1] && to[1] < from[1];
    return isInexact ? P.select(P.greater(t, constant(high, t)), P.full([], to[1], cast), within) : within;
  },
  { static: ["dtype"] },
);
