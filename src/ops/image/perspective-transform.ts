import { toTensor } from "../../core/convert.js";
import { defineOp } from "../../core/op.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { solve } from "../solvers.js";
import { type ImageOptions, onBatch, stack, unstack } from "./support.js";
import { pixelGrid, warp, type WarpOptions, warping } from "./warp.js";

export interface PerspectiveTransformOptions extends ImageOptions, Omit<WarpOptions, "fillMode"> {}
/** Images in which the four `endPoints` (x, y) show what was at `startPoints`; both are [4, 2] or [batch, 4, 2]. */
export const perspectiveTransform = defineOp(
  "image.PerspectiveTransform",
  (
    images: TensorLike,
    startPoints: TensorLike,
    endPoints: TensorLike,
    options: PerspectiveTransformOptions = {},
  ): Tensor => {
    const { dataFormat = null, ...rest } = options;
    const how = warping("perspectiveTransform", { ...rest, fillMode: "constant" });
    const [start, end] = [startPoints, endPoints].map((points, i) => {
      const p = toTensor(points, "float32");
      if ((p.ndim !== 2 && p.ndim !== 3) || p.shape.at(-2) !== 4 || p.shape.at(-1) !== 2)
        throw new RangeError(
          `perspectiveTransform: \`${i === 0 ? "startPoints" : "endPoints"}\` must be of shape [4, 2] or [batch, 4, 2]. Received shape [${p.shape}].`,
        );
      return p;
    }) as [Tensor, Tensor];
    if (start.ndim !== end.ndim || start.shape.some((d, i) => d !== end.shape[i] && !Number.isNaN(d)))
      throw new RangeError(
        `perspectiveTransform: start and end points must have one shape. Received: [${start.shape}] and [${end.shape}].`,
      );
    return onBatch("perspectiveTransform", toTensor(images), dataFormat, (batch) => {
      const [count, height, width] = batch.shape as [number, number, number];
      const each = (points: Tensor): Tensor => P.reshape(points, [points.size / 8, 4, 2]);
      const h = unstack(homography(each(start), each(end)), 1, 8).map((v) => P.reshape(v, [v.size, 1, 1]));
      const [y, x] = pixelGrid(height, width);
      const linear = (i: number): Tensor => P.add(P.multiply(h[i]!, x), P.multiply(h[i + 1]!, y));
      const depth = P.add(linear(6), P.full([], 1, "float32"));
      const moved = (i: number): Tensor =>
        P.broadcastTo(P.divide(P.add(linear(i), h[i + 2]!), depth), [count, height, width]);
      return warp(batch, moved(3), moved(0), how);
    });
  },
);

/** The eight free numbers [batch, 8] of the projective map that takes the end points to the start points. */
function homography(start: Tensor, end: Tensor): Tensor {
  const [[sx, sy], [ex, ey]] = [unstack(start, 2, 2), unstack(end, 2, 2)] as [[Tensor, Tensor], [Tensor, Tensor]];
  const [zero, one] = [0, 1].map((n) => P.full(ex.shape, n, "float32")) as [Tensor, Tensor];
  const times = (a: Tensor, b: Tensor): Tensor => P.negative(P.multiply(a, b));
  const forX = stack([ex, ey, one, zero, zero, zero, times(sx, ex), times(sx, ey)], 2);
  const forY = stack([zero, zero, zero, ex, ey, one, times(sy, ex), times(sy, ey)], 2);
  const system = P.concatenate([forX, forY], 1);
  const wanted = P.concatenate([sx, sy], 1);
  const solution = solve(system, P.reshape(wanted, [...wanted.shape, 1]));
  return P.reshape(solution, wanted.shape);
}
