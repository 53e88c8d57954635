import { type DType, isFloat, isInteger } from "../../core/dtype.js";
import { standardizeDataFormat } from "../../core/settings.js";
import type { Tensor } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { constant } from "../support.js";

export interface ImageOptions {
  /** "channels_last", "channels_first", or the default format when null. */
  dataFormat?: string | null | undefined;
}
/** Where images [height, width, channels] or a batch of them keep their axes. */
export interface ImageAxes {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
}

/** Throws unless `x` is an image or a batch of images. */
export function checkImages(op: string, x: Tensor, name = "images"): void {
  if (x.ndim !== 3 && x.ndim !== 4)
    throw new RangeError(
      `${op}: \`${name}\` must be an image (rank 3) or a batch of images (rank 4). Received shape [${x.shape}].`,
    );
}
/** The axes of an image or a batch of images; throws when `x` is neither. */
export function imageAxes(op: string, x: Tensor, dataFormat: string | null | undefined): ImageAxes {
  checkImages(op, x);
  const last = standardizeDataFormat(dataFormat) === "channels_last";
  const [height, width, channels] = last ? [-3, -2, -1] : [-2, -1, -3];
  return { height: height! + x.ndim, width: width! + x.ndim, channels: channels! + x.ndim };
}
/** Throws unless `value` is one of the keys of `table`; gives what it stands for. */
export function choice<K extends string, V>(
  op: string,
  name: string,
  value: string,
  table: { readonly [key in K]: V },
): V {
  if (Object.hasOwn(table, value)) return table[value as K];
  const known = Object.keys(table).map((key) => JSON.stringify(key));
  throw new TypeError(`${op}: \`${name}\` must be one of ${known.join(", ")}. Received: ${JSON.stringify(value)}.`);
}

/** Runs `body` on a batch with channels last; the result, of the same rank, gets the layout of `x` again. */
export function onBatch(
  op: string,
  x: Tensor,
  dataFormat: string | null | undefined,
  body: (batch: Tensor) => Tensor,
): Tensor {
  checkImages(op, x);
  const first = standardizeDataFormat(dataFormat) === "channels_first";
  const batch = x.ndim === 3 ? P.reshape(x, [1, ...x.shape]) : x;
  const y = body(first ? P.transpose(batch, [0, 2, 3, 1]) : batch);
  const back = first ? P.transpose(y, [0, 3, 1, 2]) : y;
  return x.ndim === 3 ? P.reshape(back, back.shape.slice(1)) : back;
}

/** To the nearest integer, halves away from zero. */
export function roundAway(x: Tensor): Tensor {
  const size = P.abs(x);
  const whole = P.floor(size);
  const up = P.greaterEqual(P.subtract(size, whole), constant(0.5, x));
  const rounded = P.add(whole, P.cast(up, x.dtype));
  return P.select(P.less(x, constant(0, x)), P.negative(rounded), rounded);
}
/** Float results as `dtype`: integers are rounded and kept inside their range, bools are what is above 0. */
export function castResult(x: Tensor, dtype: DType, round: (x: Tensor) => Tensor): Tensor {
  if (x.dtype === dtype) return x;
  if (dtype === "bool") return P.greater(x, constant(0, x));
  return P.cast(isInteger(dtype) && isFloat(x.dtype) ? round(x) : x, dtype);
}
/** The first `count` values of `x` along `axis`, one tensor each, without that axis. */
export function unstack(x: Tensor, axis: number, count = x.shape[axis]!): Tensor[] {
  const rest = x.shape.filter((_, i) => i !== axis);
  return Array.from({ length: count }, (_, n) => {
    const start = x.shape.map((_, i) => (i === axis ? n : 0));
    const limit = x.shape.map((d, i) => (i === axis ? n + 1 : d));
    return P.reshape(P.slice(x, start, limit), rest);
  });
}
/** Tensors of one shape along a new `axis`. */
export function stack(xs: readonly Tensor[], axis: number): Tensor {
  const { shape } = xs[0]!;
  const column = [...shape.slice(0, axis), 1, ...shape.slice(axis)];
  return P.concatenate(
    xs.map((x) => P.reshape(x, column)),
    axis,
  );
}
