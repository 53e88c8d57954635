import { toTensor } from "../../core/convert.js";
import { isFloat } from "../../core/dtype.js";
import { defineOp } from "../../core/op.js";
import { floatx } from "../../core/settings.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { toFloat } from "../support.js";
import { type Interpolation, interpolations } from "./band.js";
import { resizeAxis } from "./resample.js";
import { castResult, choice, type ImageAxes, imageAxes, type ImageOptions } from "./support.js";

type Size = readonly [height: number, width: number];

export interface ResizeOptions extends ImageOptions {
  /** "nearest", "bilinear", "bicubic", "lanczos3" or "lanczos5". */
  interpolation?: string | undefined;
  /** Whether to average over the pixels that become one. */
  antialias?: boolean | undefined;
  /** Whether to cut off what does not fit the new aspect ratio. */
  cropToAspectRatio?: boolean | undefined;
  /** Whether to fill what the new aspect ratio adds with `fillValue`. */
  padToAspectRatio?: boolean | undefined;
  /** Only "constant" is there. */
  fillMode?: string | undefined;
  fillValue?: number | undefined;
}
/** Images in a new size [height, width]. Integer images are rounded and stay inside their range. */
export const resize = defineOp(
  "image.Resize",
  (
    images: TensorLike,
    size: readonly number[],
    {
      interpolation = "bilinear",
      antialias = false,
      cropToAspectRatio = false,
      padToAspectRatio = false,
      fillMode = "constant",
      fillValue = 0,
      dataFormat = null,
    }: ResizeOptions = {},
  ): Tensor => {
    if (size.length !== 2 || !size.every((n) => Number.isInteger(n) && n > 0))
      throw new RangeError(
        `resize: \`size\` must be two positive integers [height, width]. Received: ${JSON.stringify(size)}.`,
      );
    const method = choice<Interpolation, Interpolation>("resize", "interpolation", interpolation, interpolations);
    choice("resize", "fillMode", fillMode, { constant: true });
    if (cropToAspectRatio && padToAspectRatio)
      throw new TypeError("resize: only one of `cropToAspectRatio` and `padToAspectRatio` can be true.");
    const x = toTensor(images);
    const axes = imageAxes("resize", x, dataFormat);
    const target = size as Size;
    const framed = cropToAspectRatio
      ? cropped(x, axes, target)
      : padToAspectRatio
        ? padded(x, axes, target, fillValue)
        : x;
    const spatial = ([axes.height, axes.width] as const)
      .map((axis, i) => ({ axis, from: framed.shape[axis]!, to: target[i]! }))
      .filter(({ from, to }) => from !== to)
      // What shrinks comes first, then what moves the shortest rows: the second pass has less to do.
      .sort((a, b) => a.to / a.from - b.to / b.from || b.axis - a.axis);
    const resized = spatial.reduce(
      (y, { axis, to }) => resizeAxis(y, axis, to, method, antialias),
      method === "nearest" ? framed : toFloat(framed),
    );
    return castResult(resized, x.dtype, P.round);
  },
  { static: ["size"] },
);

/** The largest window in the middle that has the aspect ratio of `target`. */
function cropped(x: Tensor, { height, width }: ImageAxes, target: Size): Tensor {
  const [rows, columns] = [x.shape[height]!, x.shape[width]!];
  const window = [
    Math.max(Math.min(rows, Math.floor((columns * target[0]) / target[1])), 1),
    Math.max(Math.min(columns, Math.floor((rows * target[1]) / target[0])), 1),
  ] as const;
  const at = [Math.floor((rows - window[0]) / 2), Math.floor((columns - window[1]) / 2)] as const;
  const start = x.shape.map((_, i) => (i === height ? at[0] : i === width ? at[1] : 0));
  const limit = x.shape.map((d, i) => (i === height ? at[0] + window[0] : i === width ? at[1] + window[1] : d));
  return P.slice(x, start, limit);
}
/** The images with as much added on two sides as makes the aspect ratio that of `target`. */
function padded(x: Tensor, { height, width }: ImageAxes, target: Size, value: number): Tensor {
  const [rows, columns] = [x.shape[height]!, x.shape[width]!];
  const extra = [
    Math.max(0, Math.floor((columns * target[0]) / target[1]) - rows),
    Math.max(0, Math.floor((rows * target[1]) / target[0]) - columns),
  ] as const;
  const above = Math.floor(extra[0] / 2);
  const beside = above > 0 ? 0 : Math.floor(extra[1] / 2);
  const amounts = x.shape.map((_, i) => (i === height ? above : i === width ? beside : 0));
  const wide = isFloat(x.dtype) ? x : P.cast(x, floatx());
  return P.pad(wide, { low: amounts, high: amounts, interior: x.shape.map(() => 0), value });
}
