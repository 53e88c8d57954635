import { toTensor } from "../core/convert.js";
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
