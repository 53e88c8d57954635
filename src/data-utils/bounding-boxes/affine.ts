import { toTensor } from "../../core/convert.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import { add, divide, multiply, negative, subtract } from "../../ops/arithmetic.js";
import { cos, sin, tan } from "../../ops/elementwise.js";
import { max, min } from "../../ops/reductions.js";
import { reshape, stack } from "../../ops/shape.js";
import type { BoxFormatOption } from "./clip.js";
import { coordinates, join } from "./formats.js";

export interface AffineOptions extends BoxFormatOption {
  /** The fixed point as shares of the image; the middle when left out. */
  readonly centerX?: TensorLike | null | undefined;
  readonly centerY?: TensorLike | null | undefined;
}

/**
 * The upright boxes around boxes [batch, N, 4] in pixels that were rotated, moved, scaled and sheared with their images. Every
 * parameter has one value an image: angles in degrees, translations as shares of the image's size.
 */
export function affineTransform(
  boxes: TensorLike,
  angle: TensorLike,
  translateX: TensorLike,
  translateY: TensorLike,
  scale: TensorLike,
  shearX: TensorLike,
  shearY: TensorLike,
  height: number,
  width: number,
  { centerX = null, centerY = null, boundingBoxFormat = "xyxy" }: AffineOptions = {},
): Tensor {
  if (boundingBoxFormat !== "xyxy")
    throw new TypeError(
      `affineTransform takes boxes in the format xyxy. Received: "${boundingBoxFormat as string}". Convert them with convertFormat.`,
    );
  const turn = toTensor(angle);
  const perImage = (value: TensorLike): Tensor => reshape(toTensor(value, turn.dtype), [-1, 1, 1]);
  const radians = (value: TensorLike): Tensor => multiply(perImage(value), -Math.PI / 180);
  const [rotation, sx, sy, by] = [radians(turn), radians(shearX), radians(shearY), perImage(scale)];
  const middle = (share: TensorLike | null, size: number): Tensor => multiply(perImage(share ?? 0.5), size - 1);
  const [cx, cy] = [middle(centerX, width), middle(centerY, height)];
  const [movedX, movedY] = [
    subtract(cx, multiply(perImage(translateX), width - 1)),
    subtract(cy, multiply(perImage(translateY), height - 1)),
  ];
  // Rotation times shear has determinant 1: its inverse swaps the diagonal and negates the rest.
  const lean = subtract(rotation, sy);
  const a = divide(cos(lean), cos(sy));
  const c = negative(divide(sin(lean), cos(sy)));
  const b = add(multiply(a, tan(sx)), sin(rotation));
  const d = subtract(cos(rotation), multiply(c, tan(sx)));
  const row = (p: Tensor, q: Tensor, center: Tensor) => {
    const [x, y] = [multiply(p, by), multiply(q, by)];
    return { x, y, shift: subtract(center, add(multiply(x, movedX), multiply(y, movedY))) };
  };
  const [toX, toY] = [row(d, negative(b), cx), row(negative(c), a, cy)];
  const [x1, y1, x2, y2] = coordinates(toTensor(boxes, turn.dtype));
  const corners = [
    [x1, y1],
    [x2, y1],
    [x2, y2],
    [x1, y2],
  ] as const;
  const moved = (to: ReturnType<typeof row>): Tensor =>
    stack(
      corners.map(([x, y]) => add(add(multiply(to.x, x), multiply(to.y, y)), to.shift)),
      { axis: 0 },
    );
  const [xs, ys] = [moved(toX), moved(toY)];
  return join([min(xs, { axis: 0 }), min(ys, { axis: 0 }), max(xs, { axis: 0 }), max(ys, { axis: 0 })]);
}
