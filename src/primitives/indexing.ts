import type { Tensor } from "../core/tensor.js";
import { maximum, minimum, multiply } from "./binary.js";
import { full } from "./create.js";
import { definePrimitive, sameDType, type PrimitiveFunction } from "./define.js";
import { concatenate, reshape, slice, transpose } from "./movement.js";

export interface GatherAttributes {
  readonly mode: OutOfRange;
}
export interface ScatterAttributes {
  readonly mode: ScatterMode;
}

/** What an index outside its axis reads: the nearest element, NaN (the lowest value of signed, the highest of unsigned integers), or zero. */
export type OutOfRange = "clip" | "fill" | "zero";
/** What happens to the element an update meets. Updates outside are dropped. */
export type ScatterMode = "set" | "add" | "multiply" | "min" | "max";

export interface TakeAttributes {
  readonly axis: number;
  readonly mode: OutOfRange;
}
/** Slices of `x` along `axis` at the int32 `indices`, whose shape takes the place of the axis. Negative indices are out of range. */
export const take: PrimitiveFunction<
  [x: Tensor, indices: Tensor, axis: number, mode?: OutOfRange],
  Tensor,
  TakeAttributes
> = definePrimitive(
  {
    name: "take",
    infer: ([x, indices], { axis }: TakeAttributes) => [
      { shape: [...x!.shape.slice(0, axis), ...indices!.shape, ...x!.shape.slice(axis + 1)], dtype: x!.dtype },
    ],
    gradient: ([g], { inputs: [x, indices], attributes: { axis, mode } }) => {
      const clipped = mode === "clip" ? clipIndices(indices!, x!.shape[axis]!) : indices!;
      // Bring the indexed axes to the front, add the slices there, and put the axis back.
      const k = indices!.shape.length;
      const rank = g!.shape.length;
      const front = [...range(axis, axis + k), ...range(0, axis), ...range(axis + k, rank)];
      const target = [x!.shape[axis]!, ...x!.shape.slice(0, axis), ...x!.shape.slice(axis + 1)];
      const added = scatter(
        full(target, 0, x!.dtype),
        reshape(clipped, [...clipped.shape, 1]),
        transpose(g!, front),
        "add",
      );
      return [transpose(added, [...range(1, axis + 1), 0, ...range(axis + 1, target.length)]), null];
    },
  },
  (apply, x: Tensor, indices: Tensor, axis: number, mode: OutOfRange = "fill"): Tensor =>
    apply([x, indices], { axis, mode })[0]!,
);

/** `out[..., i, ...] = x[..., indices[..., i, ...], ...]` along `axis`; the other axes of both are equal. */
export const takeAlongAxis: PrimitiveFunction<
  [x: Tensor, indices: Tensor, axis: number, mode?: OutOfRange],
  Tensor,
  TakeAttributes
> = definePrimitive(
  {
    name: "takeAlongAxis",
    infer: ([x, indices]) => [{ shape: indices!.shape, dtype: x!.dtype }],
    gradient: ([g], { inputs: [x, indices], attributes: { axis, mode } }) => {
      const clipped = mode === "clip" ? clipIndices(indices!, x!.shape[axis]!) : indices!;
      return [scatterAlongAxis(full(x!.shape, 0, x!.dtype), clipped, g!, axis, "add"), null];
    },
  },
  (
    apply: (inputs: readonly Tensor[], attributes: TakeAttributes) => readonly Tensor[],
    x: Tensor,
    indices: Tensor,
    axis: number,
    mode: OutOfRange = "fill",
  ): Tensor => apply([x, indices], { axis, mode })[0]!,
);

/** Slices of `x` at the positions that the last axis of `indices` gives for its leading axes. */
export const gather: PrimitiveFunction<[x: Tensor, indices: Tensor, mode?: OutOfRange], Tensor, GatherAttributes> =
  definePrimitive(
    {
      name: "gather",
      infer: ([x, indices], _: GatherAttributes) => [
        { shape: [...indices!.shape.slice(0, -1), ...x!.shape.slice(indices!.shape.at(-1)!)], dtype: x!.dtype },
      ],
      gradient: ([g], { inputs: [x, indices], attributes: { mode } }) => {
        if (mode === "clip") {
          const limits = indices!.shape.at(-1)!;
          const clipped = clipVectors(indices!, x!.shape.slice(0, limits));
          return [scatter(full(x!.shape, 0, x!.dtype), clipped, g!, "add"), null];
        }
        return [scatter(full(x!.shape, 0, x!.dtype), indices!, g!, "add"), null];
      },
    },
    (apply, x: Tensor, indices: Tensor, mode: OutOfRange = "fill"): Tensor => apply([x, indices], { mode })[0]!,
  );

/** `x` with `updates` written at the positions that the last axis of the int32 `indices` gives for its leading axes. */
export const scatter: PrimitiveFunction<
  [x: Tensor, indices: Tensor, updates: Tensor, mode: ScatterMode],
  Tensor,
  ScatterAttributes
> = definePrimitive(
  {
    name: "scatter",
    infer: ([x, , updates], _: ScatterAttributes) => [{ shape: x!.shape, dtype: sameDType("scatter", [x!, updates!]) }],
    gradient: ([g], { inputs: [x, indices, updates], attributes: { mode }, needed }) => {
      const read = (from: Tensor): Tensor => gather(from, indices!, "zero");
      switch (mode) {
        case "add":
          return [g!, null, needed[2] ? read(g!) : null];
        case "set":
          return [
            needed[0] ? scatter(g!, indices!, full(updates!.shape, 0, g!.dtype), "set") : null,
            null,
            needed[2] ? read(g!) : null,
          ];
        case "multiply":
          return [
            needed[0] ? scatter(g!, indices!, updates!, "multiply") : null,
            null,
            needed[2] ? read(multiply(g!, x!)) : null,
          ];
        default:
          throw new Error(`scatter: no gradient is defined for mode "${mode}".`);
      }
    },
  },
  (apply, x: Tensor, indices: Tensor, updates: Tensor, mode: ScatterMode): Tensor =>
    apply([x, indices, updates], { mode })[0]!,
);

export interface ScatterAlongAxisAttributes {
  readonly axis: number;
  readonly mode: ScatterMode;
}
/** `x` with `updates[..., i, ...]` written at `indices[..., i, ...]` along `axis`; the other axes of all are equal. */
export const scatterAlongAxis: PrimitiveFunction<
  [x: Tensor, indices: Tensor, updates: Tensor, axis: number, mode: ScatterMode],
  Tensor,
  ScatterAlongAxisAttributes
> = definePrimitive(
  {
    name: "scatterAlongAxis",
    infer: ([x, , updates], _: ScatterAlongAxisAttributes) => [
      { shape: x!.shape, dtype: sameDType("scatterAlongAxis", [x!, updates!]) },
    ],
    gradient: ([g], { inputs: [, indices, updates], attributes: { axis, mode }, needed }) => {
      if (mode !== "add" && mode !== "set")
        throw new Error(`scatterAlongAxis: no gradient is defined for mode "${mode}".`);
      const dx =
        mode === "add"
          ? g!
          : needed[0]
            ? scatterAlongAxis(g!, indices!, full(updates!.shape, 0, g!.dtype), axis, "set")
            : null;
      return [dx, null, needed[2] ? takeAlongAxis(g!, indices!, axis, "zero") : null];
    },
  },
  (apply, x: Tensor, indices: Tensor, updates: Tensor, axis: number, mode: ScatterMode): Tensor =>
    apply([x, indices, updates], { axis, mode })[0]!,
);

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
const clipIndices = (indices: Tensor, size: number): Tensor =>
  minimum(maximum(indices, full([], 0, indices.dtype)), full([], size - 1, indices.dtype));
function clipVectors(indices: Tensor, sizes: readonly number[]): Tensor {
  const lead = indices.shape.slice(0, -1);
  const columns = sizes.map((size, i) =>
    clipIndices(slice(indices, [...lead.map(() => 0), i], [...lead, i + 1]), size),
  );
  return columns.length ? concatenate(columns, lead.length) : indices;
}
