import { toTensor } from "../core/convert.js";
import { type DType, standardizeDType } from "../core/dtype.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { add, clip, divide, negative, subtract } from "../ops/arithmetic.js";
import { max, min } from "../ops/reductions.js";
import * as P from "../primitives/index.js";
import { type AbsMaxOptions, roundTo, type ValueRange } from "./abs-max.js";
import { padRows } from "./pad-rows.js";

/**
 * Integers, scales and zero points of a matrix [inputs, outputs], one pair for each output and each block of `blockSize` inputs:
 * `(quantized - zeroPoint) * scale` gives the matrix back, up to rounding. The zero points are int8.
 * @throws RangeError unless `inputs` is a matrix and `blockSize` a positive integer.
 */
export function absMaxQuantizeGroupedWithZeroPoint(
  inputs: TensorLike,
  blockSize: number,
  { valueRange = [-8, 7], dtype = "int8", epsilon = 1e-7, toNumpy = false }: AbsMaxOptions = {},
): [quantized: Tensor, scale: Tensor, zeroPoint: Tensor] {
  const x = toTensor(inputs);
  const [rows, columns] = x.shape;
  if (x.ndim !== 2 || rows === undefined || columns === undefined)
    throw new RangeError(`Grouped quantization takes a matrix [inputs, outputs]. Received shape [${x.shape}].`);
  if (!(Number.isInteger(blockSize) && blockSize > 0))
    throw new RangeError(`\`blockSize\` must be a positive integer. Received: ${blockSize}.`);
  const groups = Math.ceil(rows / blockSize);
  const blocks = P.reshape(padRows(x, groups * blockSize - rows), [groups, blockSize, columns]);
  const { scale, zeroPoint } = blockParameters(x, blocks, { valueRange, epsilon, toNumpy });
  const levels = P.round(divide(blocks, P.reshape(scale, [groups, 1, columns])));
  const shifted = add(levels, P.reshape(zeroPoint, [groups, 1, columns]));
  const quantized = P.reshape(roundTo(shifted, valueRange, dtype), [groups * blockSize, columns]);
  return [P.slice(quantized, [0, 0], [rows, columns]), scale, P.cast(zeroPoint, "int8")];
}

interface BlockOptions {
  readonly valueRange: ValueRange;
  readonly epsilon: number;
  readonly toNumpy: boolean;
}
/** Scales and zero points [groups, outputs] in floats. */
function blockParameters(x: Tensor, blocks: Tensor, { valueRange, epsilon, toNumpy }: BlockOptions) {
  const [low, high] = valueRange;
  // A single group takes its range from the rows there are, unless the zeros that fill it up are asked to count.
  const source = !toNumpy && blocks.shape[0] === 1 ? P.reshape(x, [1, ...x.shape]) : blocks;
  let [least, most] = [min(source, { axis: 1 }), max(source, { axis: 1 })];
  if (!toNumpy) [least, most] = widened(least, most);
  const scale = P.cast(divide(add(subtract(most, least), epsilon), high - low), x.dtype);
  const zeroPoint = clip(add(P.round(divide(negative(least), scale)), low), low, high);
  return { scale, zeroPoint };
}
/** Empty ranges made two wide. */
function widened(least: Tensor, most: Tensor): [Tensor, Tensor] {
  const empty = P.equal(least, most);
  return [P.select(empty, subtract(least, 1), least), P.select(empty, add(most, 1), most)];
}

export interface QuantizationParameterOptions {
  /** Width of the quantized values. */
  readonly bits: number;
  /** Whether zero stays in the middle of the range. */
  readonly symmetric?: boolean | undefined;
  /** One pair for each row, else one for the matrix. */
  readonly perChannel?: boolean | undefined;
  /** Columns that share a pair; -1 for all. */
  readonly groupSize?: number | undefined;
  readonly computeDtype?: string | undefined;
  /** Added to every range. */
  readonly epsilon?: number | undefined;
  /** Whether quantized values may be negative. */
  readonly signed?: boolean | undefined;
}
/** Scales, zero points (uint8, int8 when `signed`) and the largest level for a matrix [outputs, inputs]. */
export function computeQuantizationParameters(
  x: TensorLike,
  {
    bits,
    symmetric = false,
    perChannel = false,
    groupSize = -1,
    computeDtype = "float32",
    epsilon = 0,
    signed = false,
  }: QuantizationParameterOptions,
): [scale: Tensor, zero: Tensor, maxq: Tensor] {
  const t = toTensor(x);
  if (t.ndim < 2 || t.size === 0)
    throw new RangeError(`Quantization parameters need a matrix with values. Received shape [${t.shape}].`);
  const [rows, columns] = t.shape as [number, number];
  const groups = perChannel && groupSize > 0 ? Math.ceil(columns / groupSize) : 1;
  const grouped =
    groups > 1
      ? P.reshape(P.transpose(padRows(P.transpose(t, [1, 0]), groups * groupSize - columns), [1, 0]), [
          rows * groups,
          groupSize,
        ])
      : P.reshape(t, perChannel ? [rows, t.size / rows] : [1, t.size]);
  let [least, most] = [min(grouped, { axis: 1 }), max(grouped, { axis: 1 })];
  if (symmetric) {
    most = P.maximum(P.abs(least), most);
    least = P.select(P.less(least, P.full([], 0, least.dtype)), P.negative(most), least);
  }
  [least, most] = widened(least, most);
  const compute = standardizeDType(computeDtype, "float32" satisfies DType);
  const levels = 2 ** bits - 1;
  const raw = divide(add(subtract(most, least), epsilon), levels);
  const scale = P.select(P.lessEqual(raw, P.full([], 0, raw.dtype)), P.full([], 1e-8, raw.dtype), raw);
  const lowest = signed ? -(2 ** (bits - 1)) : 0;
  const middle = (levels + 1) / 2 + lowest;
  const exact = symmetric
    ? P.full(scale.shape, middle, scale.dtype)
    : add(P.round(divide(negative(least), scale)), lowest);
  const zero = signed ? clip(exact, lowest, lowest + levels) : exact;
  const shape = perChannel ? [rows, groups] : [1, 1];
  const spread = (v: Tensor): Tensor => P.broadcastTo(P.reshape(v, shape), [rows, shape[1]!]);
  return [spread(scale), P.cast(spread(zero), signed ? "int8" : "uint8"), P.full([], levels, compute)];
}
