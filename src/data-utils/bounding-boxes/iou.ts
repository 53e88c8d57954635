import { toTensor } from "../../core/convert.js";
import { epsilon } from "../../core/settings.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import { add, divide, maximum, minimum, multiply, square, subtract } from "../../ops/arithmetic.js";
import { arctan } from "../../ops/elementwise.js";
import { less, logicalOr, where } from "../../ops/logic.js";
import { max } from "../../ops/reductions.js";
import { squeeze } from "../../ops/shape.js";
import { transpose } from "../../primitives/index.js";
import { type BoundingBoxFormat, convertFormat, coordinates, type Corners } from "./formats.js";

interface ImageShapeOption {
  /** [height, width, channels] of the image; needed for relative formats. */
  readonly imageShape?: readonly number[] | null | undefined;
}
export interface IouOptions extends ImageShapeOption {
  /** Whether pairs with a box of negative coordinates, as padding has, get `maskVal`. */
  readonly useMasking?: boolean | undefined;
  readonly maskVal?: number | undefined;
}

const area = ([x1, y1, x2, y2]: Corners): Tensor => multiply(subtract(y2, y1), subtract(x2, x1));
/** [..., N, 1] to [..., 1, N]. */
function turned(x: Tensor): Tensor {
  const order = [...x.shape.keys()];
  return transpose(x, [...order.slice(0, -2), order.length - 1, order.length - 2]);
}
function readBoxes(name: string, boxes: TensorLike, format: BoundingBoxFormat, imageShape: readonly number[] | null) {
  const x = toTensor(boxes);
  if (x.ndim !== 2 && x.ndim !== 3)
    throw new RangeError(`${name} takes boxes [N, 4] or [batch, N, 4]. Received shape [${x.shape}].`);
  return convertFormat(x, format, "xyxy", { height: imageShape?.[0] ?? null, width: imageShape?.[1] ?? null });
}

/** Intersection over union of every box of the first [N, 4] with every one of the second [M, 4]: [N, M], or [batch, N, M]. */
export function computeIou(
  boxes1: TensorLike,
  boxes2: TensorLike,
  boundingBoxFormat: BoundingBoxFormat,
  { useMasking = false, maskVal = -1, imageShape = null }: IouOptions = {},
): Tensor {
  const a = readBoxes("computeIou", boxes1, boundingBoxFormat, imageShape);
  const b = readBoxes("computeIou", boxes2, boundingBoxFormat, imageShape);
  const one = coordinates(a);
  const two = coordinates(b).map(turned) as unknown as Corners;
  const width = maximum(subtract(minimum(one[2], two[2]), maximum(one[0], two[0])), 0);
  const height = maximum(subtract(minimum(one[3], two[3]), maximum(one[1], two[1])), 0);
  const shared = multiply(height, width);
  const union = subtract(add(area(one), area(two)), shared);
  const iou = divide(shared, add(union, epsilon()));
  if (!useMasking) return iou;
  const padding = (boxes: Tensor): Tensor => less(max(boxes, { axis: -1, keepdims: true }), 0);
  return where(logicalOr(padding(a), turned(padding(b))), maskVal, iou);
}

/**
 * Complete intersection over union of boxes pair by pair: [..., 4] and [..., 4] give [...]. It falls with the distance of the centers
 * and with the difference of the shapes (Zheng et al. 2019, "Distance-IoU Loss").
 */
export function computeCiou(
  boxes1: TensorLike,
  boxes2: TensorLike,
  boundingBoxFormat: BoundingBoxFormat,
  { imageShape = null }: ImageShapeOption = {},
): Tensor {
  const size = { height: imageShape?.[0] ?? null, width: imageShape?.[1] ?? null };
  const one = coordinates(convertFormat(boxes1, boundingBoxFormat, "xyxy", size));
  const two = coordinates(convertFormat(boxes2, boundingBoxFormat, "xyxy", size));
  const widths = [one, two].map(([x1, , x2]) => subtract(x2, x1)) as [Tensor, Tensor];
  const heights = [one, two].map(([, y1, , y2]) => add(subtract(y2, y1), epsilon())) as [Tensor, Tensor];
  const overlap = (low: 0 | 1): Tensor =>
    maximum(subtract(minimum(one[low + 2]!, two[low + 2]!), maximum(one[low]!, two[low]!)), 0);
  const hull = (low: 0 | 1): Tensor => subtract(maximum(one[low + 2]!, two[low + 2]!), minimum(one[low]!, two[low]!));
  const between = (low: 0 | 1): Tensor =>
    divide(subtract(add(one[low]!, one[low + 2]!), add(two[low]!, two[low + 2]!)), 2);

  const shared = multiply(overlap(0), overlap(1));
  const both = add(multiply(widths[0], heights[0]), multiply(widths[1], heights[1]));
  const iou = divide(shared, add(subtract(both, shared), 2 * epsilon()));
  const diagonal = add(add(square(hull(0)), square(hull(1))), epsilon());
  const distance = add(square(between(0)), square(between(1)));
  const angles = subtract(arctan(divide(widths[1], heights[1])), arctan(divide(widths[0], heights[0])));
  const difference = multiply(square(angles), 4 / Math.PI ** 2);
  const weight = divide(difference, add(subtract(difference, iou), 1 + epsilon()));
  const penalty = add(divide(distance, diagonal), multiply(difference, weight));
  return squeeze(subtract(iou, penalty), { axis: -1 });
}
