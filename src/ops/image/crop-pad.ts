import { toTensor } from "../../core/convert.js";
import { defineOp } from "../../core/op.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import { UnknownSizeError } from "../../core/unknown-size-error.js";
import * as P from "../../primitives/index.js";
import { type ImageOptions, imageAxes } from "./support.js";

type Amount = number | null | undefined;
/** Amounts at the two ends of an axis, and the size they lead to; one of the three follows from the others. */
interface Ends {
  readonly before: Amount;
  readonly after: Amount;
  readonly target: Amount;
}
interface Solved {
  readonly before: number;
  readonly after: number;
  readonly target: number;
}
type Names = readonly [before: string, after: string, target: string];

/**
 * Completes what is given for an axis of `size`, which grows by `sign` times the amounts; throws on a wrong choice, on negative numbers, and
 * where nothing tells the size of what is cut.
 */
function solve(op: string, names: Names, { before, after, target }: Ends, size: number, sign: 1 | -1): Solved {
  const given = [before ?? null, after ?? null, target ?? null];
  if (given.filter((x) => x === null).length !== 1)
    throw new TypeError(
      `${op}: give exactly two of ${names.join(", ")}. Received: ${names.map((name, i) => `${name}=${String(given[i])}`).join(", ")}.`,
    );
  if (sign < 0 && Number.isNaN(size) && given[2] === null)
    throw new UnknownSizeError(`${op}: \`images\` do not tell their size: give ${names[2]} in place of an amount.`);
  // Toward images of a known size, an unknown one needs only that.
  const change = (target ?? NaN) - size;
  const solved = {
    before: before ?? sign * change - after!,
    after: after ?? sign * change - before!,
    target: target ?? size + sign * (before! + after!),
  };
  [solved.before, solved.after, solved.target].forEach((value, i) => {
    if (value < 0) throw new RangeError(`${op}: ${names[i]} must be >= 0. Received: ${value}.`);
  });
  return solved;
}

export interface PadImagesOptions extends ImageOptions {
  topPadding?: Amount;
  leftPadding?: Amount;
  bottomPadding?: Amount;
  rightPadding?: Amount;
  targetHeight?: Amount;
  targetWidth?: Amount;
}
/** Puts zeros around images: of the paddings and the target size of each axis two are given. */
export const padImages = defineOp("image.PadImages", (images: TensorLike, options: PadImagesOptions = {}): Tensor => {
  const x = toTensor(images);
  const { height, width } = imageAxes("padImages", x, options.dataFormat);
  const rows = solve(
    "padImages",
    ["topPadding", "bottomPadding", "targetHeight"],
    { before: options.topPadding, after: options.bottomPadding, target: options.targetHeight },
    x.shape[height]!,
    1,
  );
  const columns = solve(
    "padImages",
    ["leftPadding", "rightPadding", "targetWidth"],
    { before: options.leftPadding, after: options.rightPadding, target: options.targetWidth },
    x.shape[width]!,
    1,
  );
  const along = (key: "before" | "after"): number[] =>
    x.shape.map((_, i) => (i === height ? rows[key] : i === width ? columns[key] : 0));
  const padded = P.pad(x, { low: along("before"), high: along("after"), interior: x.shape.map(() => 0), value: 0 });
  return sized(padded, height, rows.target, width, columns.target);
});

export interface CropImagesOptions extends ImageOptions {
  topCropping?: Amount;
  leftCropping?: Amount;
  bottomCropping?: Amount;
  rightCropping?: Amount;
  targetHeight?: Amount;
  targetWidth?: Amount;
}
/** Cuts images: of the croppings and the target size of each axis two are given. */
export const cropImages = defineOp(
  "image.CropImages",
  (images: TensorLike, options: CropImagesOptions = {}): Tensor => {
    const x = toTensor(images);
    const { height, width } = imageAxes("cropImages", x, options.dataFormat);
    const rows = solve(
      "cropImages",
      ["topCropping", "bottomCropping", "targetHeight"],
      { before: options.topCropping, after: options.bottomCropping, target: options.targetHeight },
      x.shape[height]!,
      -1,
    );
    const columns = solve(
      "cropImages",
      ["leftCropping", "rightCropping", "targetWidth"],
      { before: options.leftCropping, after: options.rightCropping, target: options.targetWidth },
      x.shape[width]!,
      -1,
    );
    const start = x.shape.map((_, i) => (i === height ? rows.before : i === width ? columns.before : 0));
    const limit = x.shape.map((d, i) =>
      i === height ? rows.before + rows.target : i === width ? columns.before + columns.target : d,
    );
    return sized(P.slice(x, start, limit), height, rows.target, width, columns.target);
  },
);

/** Tells the sizes of a result that were not known from its input. */
const sized = (y: Tensor, height: number, rows: number, width: number, columns: number): Tensor =>
  P.reshape(
    y,
    y.shape.map((d, i) => (i === height ? rows : i === width ? columns : d)),
  );
