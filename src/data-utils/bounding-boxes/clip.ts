import { toTensor } from "../../core/convert.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import { add, clip, multiply, subtract } from "../../ops/arithmetic.js";
import { greater, where } from "../../ops/logic.js";
import { squeeze } from "../../ops/shape.js";
import { coordinates, type Corners, type ImageSize, join, type LabeledBoxes } from "./formats.js";

export interface ClipOptions extends ImageSize {
  /** "xyxy" (the default, which needs the image's size) or "rel_xyxy". */
  readonly boundingBoxFormat?: "xyxy" | "rel_xyxy" | undefined;
}

/** Only corners in pixels are handled by functions that move boxes. */
function checkCorners(name: string, format: string, known: readonly string[]): void {
  if (!known.includes(format))
    throw new TypeError(
      `${name} takes boxes in the format ${known.join(" or ")}. Received: "${format}". Convert them with convertFormat.`,
    );
}
const clipped = ([x1, y1, x2, y2]: Corners, width: TensorLike, height: TensorLike): Corners => [
  clip(x1, 0, width),
  clip(y1, 0, height),
  clip(x2, 0, width),
  clip(y2, 0, height),
];

/**
 * Boxes cut at the border of the image; labels of boxes of which nothing is left become -1.
 * @throws TypeError for other formats, and for pixels without the image's size.
 */
export function clipToImageSize<T extends LabeledBoxes>(
  boundingBoxes: T,
  { height = null, width = null, boundingBoxFormat = "xyxy" }: ClipOptions = {},
): T & { readonly boxes: Tensor } {
  checkCorners("clipToImageSize", boundingBoxFormat, ["xyxy", "rel_xyxy"]);
  const relative = boundingBoxFormat === "rel_xyxy";
  if (!relative && (height === null || width === null))
    throw new TypeError("clipToImageSize needs the `height` and `width` of the image for boxes in pixels.");
  const boxes = toTensor(boundingBoxes.boxes);
  const limit = (size: TensorLike | null): TensorLike => (relative ? 1 : toTensor(size!, boxes.dtype));
  const corners = clipped(coordinates(boxes), limit(width), limit(height));
  const { labels } = boundingBoxes;
  const result = { ...boundingBoxes, boxes: join(corners) };
  if (labels === null || labels === undefined) return result;
  const [x1, y1, x2, y2] = corners;
  const areas = squeeze(multiply(subtract(x2, x1), subtract(y2, y1)), { axis: -1 });
  return { ...result, labels: where(greater(areas, 0), toTensor(labels), -1) };
}

export interface BoxFormatOption {
  /** Only "xyxy", the default. */
  readonly boundingBoxFormat?: "xyxy" | undefined;
}
/** Boxes in pixels as they lie in the window of `height` by `width` pixels that begins at (`top`, `left`), cut at its border. */
export function crop(
  boxes: TensorLike,
  top: TensorLike,
  left: TensorLike,
  height: TensorLike,
  width: TensorLike,
  { boundingBoxFormat = "xyxy" }: BoxFormatOption = {},
): Tensor {
  checkCorners("crop", boundingBoxFormat, ["xyxy"]);
  const [x1, y1, x2, y2] = coordinates(toTensor(boxes));
  const moved: Corners = [subtract(x1, left), subtract(y1, top), subtract(x2, left), subtract(y2, top)];
  return join(clipped(moved, width, height));
}
/** Boxes in pixels after `top` rows and `left` columns were added to the image. */
export function pad(
  boxes: TensorLike,
  top: TensorLike,
  left: TensorLike,
  { boundingBoxFormat = "xyxy" }: BoxFormatOption & ImageSize = {},
): Tensor {
  checkCorners("pad", boundingBoxFormat, ["xyxy"]);
  const [x1, y1, x2, y2] = coordinates(toTensor(boxes));
  return join([add(x1, left), add(y1, top), add(x2, left), add(y2, top)]);
}
