import type { Shape } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { full } from "./create.js";
import {
  broadcastShapes,
  definePrimitive,
  sameDType,
  showShape,
  unaryPrimitive,
  type PrimitiveFunction,
} from "./define.js";
import { sum } from "./reduce.js";

export interface ShapeAttributes {
  readonly shape: Shape;
}
export interface TransposeAttributes {
  readonly permutation: readonly number[];
}
export interface ReverseAttributes {
  readonly axes: readonly number[];
}
export interface ConcatenateAttributes {
  readonly axis: number;
}
export interface DynamicSliceAttributes {
  readonly sizes: Shape;
}

const size = (shape: Shape): number => shape.reduce((n, d) => n * d, 1);

const reshapePrimitive: PrimitiveFunction<[x: Tensor, attributes: ShapeAttributes], Tensor, ShapeAttributes> =
  unaryPrimitive<ShapeAttributes>(
    "reshape",
    (x, { shape }) => {
      const [from, to] = [size(x.shape), size(shape)];
      if (!Number.isNaN(from) && !Number.isNaN(to) && from !== to)
        throw new RangeError(
          `reshape: ${showShape(x.shape)} has ${from} elements and cannot become ${showShape(shape)}.`,
        );
      return { shape, dtype: x.dtype };
    },
    (g, x) => reshape(g, x.shape),
  );
/** The same elements in row-major order under another shape. */
export const reshape: PrimitiveFunction<[x: Tensor, shape: Shape], Tensor, ShapeAttributes> = Object.assign(
  (x: Tensor, shape: Shape): Tensor => (sameShape(x.shape, shape) ? x : reshapePrimitive(x, { shape })),
  {
    primitive: reshapePrimitive.primitive,
  },
);
const sameShape = (a: Shape, b: Shape): boolean => a.length === b.length && a.every((d, i) => d === b[i]);

const transposePrimitive: PrimitiveFunction<[x: Tensor, attributes: TransposeAttributes], Tensor, TransposeAttributes> =
  unaryPrimitive<TransposeAttributes>(
    "transpose",
    (x, { permutation }) => ({ shape: permutation.map((i) => x.shape[i]!), dtype: x.dtype }),
    (g, _x, _y, { permutation }) =>
      transpose(
        g,
        permutation.map((_, i) => permutation.indexOf(i)),
      ),
  );
/** Axis `i` of the result is axis `permutation[i]` of `x`. */
export const transpose: PrimitiveFunction<[x: Tensor, permutation: readonly number[]], Tensor, TransposeAttributes> =
  Object.assign(
    (x: Tensor, permutation: readonly number[]): Tensor =>
      permutation.every((p, i) => p === i) ? x : transposePrimitive(x, { permutation }),
    { primitive: transposePrimitive.primitive },
  );

const broadcastToPrimitive: PrimitiveFunction<[x: Tensor, attributes: ShapeAttributes], Tensor, ShapeAttributes> =
  unaryPrimitive<ShapeAttributes>(
    "broadcastTo",
    (x, { shape }) => {
      const result = broadcastShapes(x.shape, shape, "broadcastTo");
      if (
        result.length !== shape.length ||
        result.some((d, i) => d !== shape[i] && !Number.isNaN(shape[i]!) && !Number.isNaN(d))
      ) {
        throw new RangeError(`broadcastTo: ${showShape(x.shape)} does not broadcast to ${showShape(shape)}.`);
      }
      return { shape, dtype: x.dtype };
    },
    (g, x) => {
      const lead = g.shape.length - x.shape.length;
      const axes = g.shape.map((_, i) => i).filter((i) => i < lead || (x.shape[i - lead] === 1 && g.shape[i] !== 1));
      return reshape(axes.length ? sum(g, axes) : g, x.shape);
    },
  );
/** Repeats axes of size 1, and new leading axes, up to `shape`. */
export const broadcastTo: PrimitiveFunction<[x: Tensor, shape: Shape], Tensor, ShapeAttributes> = Object.assign(
  (x: Tensor, shape: Shape): Tensor => (sameShape(x.shape, shape) ? x : broadcastToPrimitive(x, { shape })),
  {
    primitive: broadcastToPrimitive.primitive,
  },
);

export interface SliceAttributes {
  readonly start: readonly number[];
  /** Exclusive. */
  readonly limit: readonly number[];
  /** Positive. */
  readonly strides: readonly number[];
}
const slicePrimitive: PrimitiveFunction<[x: Tensor, attributes: SliceAttributes], Tensor, SliceAttributes> =
  unaryPrimitive<SliceAttributes>(
    "slice",
    (x, { start, limit, strides }) => ({
      shape: start.map((s, i) => Math.max(0, Math.ceil((limit[i]! - s) / strides[i]!))),
      dtype: x.dtype,
    }),
    (g, x, _, { start, strides }) => {
      const interior = strides.map((s) => s - 1);
      const span = g.shape.map((n, i) => (n === 0 ? 0 : (n - 1) * strides[i]! + 1));
      return pad(g, { low: start, high: x.shape.map((d, i) => d - start[i]! - span[i]!), interior, value: 0 });
    },
  );
/** Elements `start`, `start + stride`, ... below `limit` on every axis; bounds must lie inside. */
export const slice: PrimitiveFunction<
  [x: Tensor, start: readonly number[], limit: readonly number[], strides?: readonly number[]],
  Tensor,
  SliceAttributes
> = Object.assign(
  (
    x: Tensor,
    start: readonly number[],
    limit: readonly number[],
    strides: readonly number[] = start.map(() => 1),
  ): Tensor =>
    start.every((s, i) => s === 0 && limit[i] === x.shape[i] && strides[i] === 1)
      ? x
      : slicePrimitive(x, { start, limit, strides }),
  { primitive: slicePrimitive.primitive },
);

export interface PadAttributes {
  /** Elements added before each axis; negative ones cut. */
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** Elements put between neighbours on each axis. */
  readonly interior: readonly number[];
  readonly value: number;
}
/** Surrounds (and spreads) `x` with a constant. */
export const pad: PrimitiveFunction<[x: Tensor, attributes: PadAttributes], Tensor, PadAttributes> =
  unaryPrimitive<PadAttributes>(
    "pad",
    (x, { low, high, interior }) => ({
      shape: x.shape.map((d, i) => Math.max(0, low[i]! + high[i]! + (d === 0 ? 0 : d + (d - 1) * interior[i]!))),
      dtype: x.dtype,
    }),
    (g, x, _, { low, high, interior }) => {
      const uncut = pad(g, {
        low: low.map((n) => Math.max(0, -n)),
        high: high.map((n) => Math.max(0, -n)),
        interior: low.map(() => 0),
        value: 0,
      });
      const start = low.map((n) => Math.max(0, n));
      const limit = x.shape.map((d, i) => start[i]! + (d === 0 ? 0 : (d - 1) * (interior[i]! + 1) + 1));
      return slice(
        uncut,
        start,
        limit,
        interior.map((n) => n + 1),
      );
    },
  );

const reversePrimitive: PrimitiveFunction<[x: Tensor, attributes: ReverseAttributes], Tensor, ReverseAttributes> =
  unaryPrimitive<ReverseAttributes>(
    "reverse",
    ({ shape, dtype }) => ({ shape, dtype }),
    (g, _x, _y, { axes }) => reverse(g, axes),
  );
/** Turns the order of elements around on the given axes. */
export const reverse: PrimitiveFunction<[x: Tensor, axes: readonly number[]], Tensor, ReverseAttributes> =
  Object.assign((x: Tensor, axes: readonly number[]): Tensor => reversePrimitive(x, { axes }), {
    primitive: reversePrimitive.primitive,
  });

/** Joins tensors along an existing axis. */
export const concatenate: PrimitiveFunction<[inputs: readonly Tensor[], axis: number], Tensor, ConcatenateAttributes> =
  definePrimitive(
    {
      name: "concatenate",
      infer: (inputs, { axis }: ConcatenateAttributes) => {
        const dtype = sameDType("concatenate", inputs);
        const shape = [...inputs[0]!.shape];
        for (const { shape: other } of inputs.slice(1)) {
          if (other.length !== shape.length)
            throw new RangeError(
              `concatenate: expected tensors of rank ${shape.length}. Received shape ${showShape(other)}.`,
            );
          other.forEach((d, i) => {
            if (i === axis) shape[i] = shape[i]! + d;
            else if (Number.isNaN(shape[i]!)) shape[i] = d;
            else if (d !== shape[i] && !Number.isNaN(d))
              throw new RangeError(
                `concatenate: shapes ${inputs.map((x) => showShape(x.shape)).join(" and ")} differ on axis ${i}, which is not the axis ${axis} of concatenation.`,
              );
          });
        }
        return [{ shape, dtype }];
      },
      gradient: ([g], { inputs, attributes: { axis }, needed }) => {
        let at = 0;
        return inputs.map((x, i) => {
          const start = x.shape.map((_, j) => (j === axis ? at : 0));
          const limit = x.shape.map((d, j) => (j === axis ? at + d : d));
          at += x.shape[axis]!;
          return needed[i] ? slice(g!, start, limit) : null;
        });
      },
    },
    (apply, inputs: readonly Tensor[], axis: number): Tensor =>
      inputs.length === 1 ? inputs[0]! : apply(inputs, { axis })[0]!,
  );

/** The window of `sizes` that begins at `start` (int32 vector), moved inside where it would reach out. */
export const dynamicSlice: PrimitiveFunction<[x: Tensor, start: Tensor, sizes: Shape], Tensor, DynamicSliceAttributes> =
  definePrimitive(
    {
      name: "dynamicSlice",
      infer: ([x], { sizes }: DynamicSliceAttributes) => [{ shape: sizes, dtype: x!.dtype }],
      gradient: ([g], { inputs: [x, start] }) => [dynamicUpdateSlice(full(x!.shape, 0, x!.dtype), g!, start!), null],
    },
    (apply, x: Tensor, start: Tensor, sizes: Shape): Tensor => apply([x, start], { sizes })[0]!,
  );
/** `x` with the window that begins at `start` (int32 vector) replaced by `update`. */
export const dynamicUpdateSlice: PrimitiveFunction<[x: Tensor, update: Tensor, start: Tensor], Tensor, object> =
  definePrimitive(
    {
      name: "dynamicUpdateSlice",
      infer: ([x]) => [{ shape: x!.shape, dtype: x!.dtype }],
      gradient: ([g], { inputs: [, update, start], needed }) => [
        needed[0] ? dynamicUpdateSlice(g!, full(update!.shape, 0, g!.dtype), start!) : null,
        needed[1] ? dynamicSlice(g!, start!, update!.shape) : null,
        null,
      ],
    },
    (apply, x: Tensor, update: Tensor, start: Tensor): Tensor => apply([x, update, start], {})[0]!,
  );
