import { toTensor } from "../../core/convert.js";
import { isFloat } from "../../core/dtype.js";
import { defineOp } from "../../core/op.js";
import { type Tensor, tensor, type TensorLike } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { mod } from "../arithmetic.js";
import { constant, toFloat } from "../support.js";
import { type ImageOptions, imageAxes, stack, unstack } from "./support.js";

/** Spacing of floats at 1. */
const spacing = { float16: 2 ** -10, bfloat16: 2 ** -7, float32: 2 ** -23 } as const;
const LUMA = [0.2989, 0.587, 0.114];

/** One gray channel from red, green and blue (weights 0.2989, 0.587, 0.114); gray images stay as they are. */
export const rgbToGrayscale = defineOp(
  "image.RGBToGrayscale",
  (images: TensorLike, { dataFormat = null }: ImageOptions = {}): Tensor => {
    const x = toTensor(images);
    const { channels } = imageAxes("rgbToGrayscale", x, dataFormat);
    const count = x.shape[channels]!;
    if (count === 1) return x;
    if (count !== 3 && !Number.isNaN(count))
      throw new RangeError(`rgbToGrayscale: images must have 1 or 3 channels. Received shape [${x.shape}].`);
    const wide = toFloat(x);
    const gray = P.dot(wide, P.cast(tensor(LUMA), wide.dtype), { contract: [[channels], [0]], batch: [[], []] });
    return P.cast(
      P.reshape(
        gray,
        x.shape.map((d, i) => (i === channels ? 1 : d)),
      ),
      x.dtype,
    );
  },
);

type Planes = (a: Tensor, b: Tensor, c: Tensor) => readonly Tensor[];
function convert(op: string, images: TensorLike, { dataFormat = null }: ImageOptions, planes: Planes): Tensor {
  const x = toTensor(images);
  const { channels } = imageAxes(op, x, dataFormat);
  if (!isFloat(x.dtype)) throw new TypeError(`${op}: images must be floats. Received dtype: ${x.dtype}.`);
  const count = x.shape[channels]!;
  if (count !== 3 && !Number.isNaN(count))
    throw new RangeError(`${op}: images must have 3 channels. Received shape [${x.shape}].`);
  const [a, b, c] = unstack(x, channels, 3) as [Tensor, Tensor, Tensor];
  return stack(planes(a, b, c), channels);
}

/** Hue, saturation and value, all in [0, 1], of red, green and blue in [0, 1]. */
export const rgbToHsv = defineOp("image.RGBToHSV", (images: TensorLike, options: ImageOptions = {}): Tensor =>
  convert("rgbToHsv", images, options, (...rgb) => {
    const number = (value: number): Tensor => constant(value, rgb[0]);
    const epsilon = number(spacing[rgb[0].dtype as keyof typeof spacing] ?? spacing.float32);
    const zero = number(0);
    const [r, g, b] = rgb.map((x) => P.select(P.less(P.abs(x), epsilon), zero, x)) as [Tensor, Tensor, Tensor];
    const value = P.maximum(P.maximum(r, g), b);
    const range = P.subtract(value, P.minimum(P.minimum(r, g), b));
    const lit = P.greater(value, zero);
    const colored = P.greater(range, zero);
    const saturation = P.select(lit, P.divide(range, P.select(lit, value, number(1))), zero);
    const unit = P.divide(number(1), P.multiply(number(6), P.select(colored, range, number(1))));
    const slope = (x: Tensor, y: Tensor): Tensor => P.multiply(unit, P.subtract(x, y));
    const hue = P.select(
      P.equal(value, r),
      slope(g, b),
      P.select(P.equal(value, g), P.add(slope(b, r), number(2 / 6)), P.add(slope(r, g), number(4 / 6))),
    );
    const turned = P.add(P.select(colored, hue, zero), P.cast(P.less(hue, zero), hue.dtype));
    return [turned, saturation, value];
  }),
);

/** Red, green and blue in [0, 1] of hue, saturation and value in [0, 1]. */
export const hsvToRgb = defineOp("image.HSVToRGB", (images: TensorLike, options: ImageOptions = {}): Tensor =>
  convert("hsvToRgb", images, options, (hue, saturation, value) => {
    const number = (n: number): Tensor => constant(n, hue);
    const sextant = P.multiply(mod(hue, number(1)), number(6));
    const distance = (center: number): Tensor => P.abs(P.subtract(sextant, number(center)));
    const clipped = (x: Tensor): Tensor => P.minimum(P.maximum(x, number(0)), number(1));
    const white = P.subtract(number(1), saturation);
    return [
      clipped(P.subtract(distance(3), number(1))),
      clipped(P.subtract(number(2), distance(2))),
      clipped(P.subtract(number(2), distance(4))),
    ].map((share) => P.multiply(value, P.add(white, P.multiply(saturation, share))));
  }),
);
