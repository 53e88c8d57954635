import { toTensor } from "../../core/convert.js";
import { epsilon } from "../../core/settings.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import { add, divide, maximum, multiply, subtract } from "../../ops/arithmetic.js";
import { exp, log } from "../../ops/elementwise.js";
import { slice } from "../../primitives/index.js";
import { type BoundingBoxFormat, convertFormat, join } from "./formats.js";

/** Format of the boxes whose differences are taken. */
export type DeltaFormat = "center_xywh" | "center_yxhw";
interface DeltaOptions {
  /** Four numbers by which the deltas are divided. */
  readonly variance?: TensorLike | null | undefined;
  /** [height, width, channels] of the image, where a format is relative. */
  readonly imageShape?: readonly number[] | null | undefined;
}
export interface EncodeOptions extends DeltaOptions {
  readonly encodingFormat?: DeltaFormat | undefined;
}
export interface DecodeOptions extends DeltaOptions {
  readonly encodedFormat?: DeltaFormat | undefined;
}

/** The first or the last two of the four numbers of boxes. */
function half(boxes: Tensor, which: 0 | 1): Tensor {
  const last = boxes.ndim - 1;
  return slice(
    boxes,
    boxes.shape.map((_, i) => (i === last ? 2 * which : 0)),
    boxes.shape.map((dim, i) => (i === last ? 2 * which + 2 : dim)),
  );
}
function varianceOf(value: TensorLike | null): Tensor | null {
  if (value === null) return null;
  const variance = toTensor(value, "float32");
  if (variance.shape.at(-1) === 4) return variance;
  throw new RangeError(`\`variance\` must be four numbers. Received shape [${variance.shape}].`);
}
function checkFormat(name: string, format: string): void {
  if (format !== "center_xywh" && format !== "center_yxhw")
    throw new TypeError(`\`${name}\` must be "center_xywh" or "center_yxhw". Received: ${JSON.stringify(format)}.`);
}
const sizeOf = (shape: readonly number[] | null) => ({ height: shape?.[0] ?? null, width: shape?.[1] ?? null });

/** What moves and stretches `anchors` onto `boxes`: differences of centers in sizes of the anchor, and logarithms of the ratios of sizes. */
export function encodeBoxToDeltas(
  anchors: TensorLike,
  boxes: TensorLike,
  anchorFormat: BoundingBoxFormat,
  boxFormat: BoundingBoxFormat,
  { encodingFormat = "center_yxhw", variance = null, imageShape = null }: EncodeOptions = {},
): Tensor {
  checkFormat("encodingFormat", encodingFormat);
  const by = varianceOf(variance);
  const from = convertFormat(anchors, anchorFormat, encodingFormat, sizeOf(imageShape));
  const to = convertFormat(boxes, boxFormat, encodingFormat, sizeOf(imageShape));
  const [anchorSize, boxSize] = [maximum(half(from, 1), epsilon()), maximum(half(to, 1), epsilon())];
  const deltas = join([divide(subtract(half(to, 0), half(from, 0)), anchorSize), log(divide(boxSize, anchorSize))]);
  return by ? divide(deltas, by) : deltas;
}

/** Anchors and deltas of several levels of a pyramid, by name. */
export type Levels = Readonly<Record<string, TensorLike>>;
const isLevels = (value: TensorLike | Levels): value is Levels =>
  typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype && !("data" in value);
/** The boxes that `encodeBoxToDeltas` made deltas of; level by level for objects. */
export function decodeDeltasToBoxes(
  anchors: Levels,
  boxesDelta: Levels,
  anchorFormat: BoundingBoxFormat,
  boxFormat: BoundingBoxFormat,
  options?: DecodeOptions,
): Record<string, Tensor>;
export function decodeDeltasToBoxes(
  anchors: TensorLike,
  boxesDelta: TensorLike,
  anchorFormat: BoundingBoxFormat,
  boxFormat: BoundingBoxFormat,
  options?: DecodeOptions,
): Tensor;
export function decodeDeltasToBoxes(
  anchors: TensorLike | Levels,
  boxesDelta: TensorLike | Levels,
  anchorFormat: BoundingBoxFormat,
  boxFormat: BoundingBoxFormat,
  { encodedFormat = "center_yxhw", variance = null, imageShape = null }: DecodeOptions = {},
): Tensor | Record<string, Tensor> {
  checkFormat("encodedFormat", encodedFormat);
  const by = varianceOf(variance);
  const decode = (anchor: TensorLike, delta: TensorLike): Tensor => {
    const from = convertFormat(anchor, anchorFormat, encodedFormat, sizeOf(imageShape));
    const scaled = by ? multiply(delta, by) : toTensor(delta);
    const size = half(from, 1);
    const box = join([add(multiply(half(scaled, 0), size), half(from, 0)), multiply(exp(half(scaled, 1)), size)]);
    return convertFormat(box, encodedFormat, boxFormat, sizeOf(imageShape));
  };
  if (!isLevels(anchors)) return decode(anchors as TensorLike, boxesDelta as TensorLike);
  return Object.fromEntries(
    Object.entries(anchors).map(([level, anchor]) => [level, decode(anchor, (boxesDelta as Levels)[level]!)]),
  );
}
