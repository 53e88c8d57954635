import { toTensor } from "../../core/convert.js";
import { standardizeDType } from "../../core/dtype.js";
import { floatx } from "../../core/settings.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import { add, divide, multiply, subtract } from "../../ops/arithmetic.js";
import { concatenate } from "../../ops/shape.js";
import { slice } from "../../primitives/index.js";
import { showValue } from "../../utils/show-value.js";

/** The four coordinates of boxes, each [..., 1]. */
export type Corners = readonly [left: Tensor, top: Tensor, right: Tensor, bottom: Tensor];

/** The last axis of [..., 4] in four parts [..., 1]. */
export function coordinates(boxes: Tensor): Corners {
  const last = boxes.ndim - 1;
  const part = (k: number): Tensor =>
    slice(
      boxes,
      boxes.shape.map((_, i) => (i === last ? k : 0)),
      boxes.shape.map((dim, i) => (i === last ? k + 1 : dim)),
    );
  return [part(0), part(1), part(2), part(3)];
}
export const join = (parts: readonly Tensor[]): Tensor => concatenate(parts, { axis: -1 });

const fromCenter = (x: Tensor, y: Tensor, w: Tensor, h: Tensor): Corners => {
  const [halfWidth, halfHeight] = [divide(w, 2), divide(h, 2)];
  return [subtract(x, halfWidth), subtract(y, halfHeight), add(x, halfWidth), add(y, halfHeight)];
};
const toCenter = ([x1, y1, x2, y2]: Corners) => {
  const [w, h] = [subtract(x2, x1), subtract(y2, y1)];
  return { x: add(x1, divide(w, 2)), y: add(y1, divide(h, 2)), w, h };
};

interface Layout {
  readonly read: (parts: Corners) => Corners;
  readonly write: (corners: Corners) => readonly Tensor[];
}
/** How four numbers tell a box. */
const layouts = {
  xyxy: { read: (c) => c, write: (c) => c },
  yxyx: { read: ([y1, x1, y2, x2]) => [x1, y1, x2, y2], write: ([x1, y1, x2, y2]) => [y1, x1, y2, x2] },
  xywh: {
    read: ([x, y, w, h]) => [x, y, add(x, w), add(y, h)],
    write: ([x1, y1, x2, y2]) => [x1, y1, subtract(x2, x1), subtract(y2, y1)],
  },
  center_xywh: {
    read: ([x, y, w, h]) => fromCenter(x, y, w, h),
    write: (corners) => {
      const { x, y, w, h } = toCenter(corners);
      return [x, y, w, h];
    },
  },
  center_yxhw: {
    read: ([y, x, h, w]) => fromCenter(x, y, w, h),
    write: (corners) => {
      const { x, y, w, h } = toCenter(corners);
      return [y, x, h, w];
    },
  },
} satisfies Record<string, Layout>;

/** How boxes are written: corners or a corner or center and sizes, in pixels, or ("rel_") as shares of the image. */
export type BoundingBoxFormat =
  "xyxy" | "yxyx" | "xywh" | "center_xywh" | "center_yxhw" | "rel_xyxy" | "rel_yxyx" | "rel_xywh" | "rel_center_xywh";
const formats: readonly string[] = [
  ...Object.keys(layouts),
  ...["xyxy", "yxyx", "xywh", "center_xywh"].map((name) => `rel_${name}`),
] satisfies readonly string[];

function parse(name: string, argument: string): { layout: Layout; relative: boolean; name: string } {
  const lower = name.toLowerCase();
  if (!formats.includes(lower))
    throw new TypeError(`\`${argument}\` must be one of: ${formats.join(", ")}. Received: ${showValue(name)}.`);
  const relative = lower.startsWith("rel_");
  return { layout: layouts[lower.replace(/^rel_/, "") as keyof typeof layouts], relative, name: lower };
}

/** Boxes [..., 4], alone or with what belongs to them. */
export interface LabeledBoxes {
  readonly boxes: TensorLike;
  readonly labels?: TensorLike | null | undefined;
}
const hasBoxes = (value: unknown): value is LabeledBoxes =>
  typeof value === "object" && value !== null && "boxes" in value;

/** Size of the images; may be a tensor that broadcasts against [..., 1]. */
export interface ImageSize {
  readonly height?: TensorLike | null | undefined;
  readonly width?: TensorLike | null | undefined;
}
export interface ConvertFormatOptions extends ImageSize {
  /** Type of the results; "float32" when left out. */
  readonly dtype?: string | undefined;
}

/**
 * Boxes in another format. With labels, everything but the boxes is handed through.
 * @throws TypeError for unknown formats, and without the image's size where pixels and shares meet.
 */
export function convertFormat<T extends LabeledBoxes>(
  boxes: T,
  source: BoundingBoxFormat,
  target: BoundingBoxFormat,
  options?: ConvertFormatOptions,
): T & { readonly boxes: Tensor };
export function convertFormat(
  boxes: TensorLike,
  source: BoundingBoxFormat,
  target: BoundingBoxFormat,
  options?: ConvertFormatOptions,
): Tensor;
export function convertFormat(
  boxes: TensorLike | LabeledBoxes,
  source: BoundingBoxFormat,
  target: BoundingBoxFormat,
  { height = null, width = null, dtype = "float32" }: ConvertFormatOptions = {},
): Tensor | LabeledBoxes {
  if (hasBoxes(boxes)) return { ...boxes, boxes: convertFormat(boxes.boxes, source, target, { height, width, dtype }) };
  const [from, to] = [parse(source, "source"), parse(target, "target")];
  const type = standardizeDType(dtype, floatx());
  const given = toTensor(boxes, type);
  if (given.shape.at(-1) !== 4)
    throw new RangeError(`Boxes need a last axis of size 4. Received shape [${given.shape}].`);
  if ((from.relative || to.relative) && (height === null || width === null))
    throw new TypeError(
      `Converting boxes from "${source}" to "${target}" needs the \`height\` and \`width\` of the image.`,
    );
  if (from.name === to.name) return given;
  let corners = from.layout.read(coordinates(given));
  if (from.relative !== to.relative) {
    const scale = from.relative ? multiply : divide;
    const [w, h] = [toTensor(width!, type), toTensor(height!, type)];
    corners = [scale(corners[0], w), scale(corners[1], h), scale(corners[2], w), scale(corners[3], h)];
  }
  return join(to.layout.write(corners));
}
