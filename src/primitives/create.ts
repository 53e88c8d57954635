import type { DType, Shape } from "../core/dtype.js";
import { isComplex, isDifferentiable } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { definePrimitive, flat, unaryPrimitive, type PrimitiveFunction } from "./define.js";
import { real } from "./unary.js";

export interface DTypeAttributes {
  readonly dtype: DType;
}

export interface FullAttributes {
  readonly shape: Shape;
  readonly value: number;
  readonly dtype: DType;
}
/** A tensor filled with one value. */
export const full: PrimitiveFunction<[shape: Shape, value: number, dtype: DType], Tensor, FullAttributes> =
  definePrimitive(
    { name: "full", infer: (_, { shape, dtype }: FullAttributes) => [{ shape, dtype }], gradient: flat },
    (apply, shape: Shape, value: number, dtype: DType): Tensor => apply([], { shape, value, dtype })[0]!,
  );

export interface IotaAttributes {
  readonly shape: Shape;
  readonly axis: number;
  readonly dtype: DType;
}
/** Counts 0, 1, 2... along one axis. */
export const iota: PrimitiveFunction<[shape: Shape, axis: number, dtype: DType], Tensor, IotaAttributes> =
  definePrimitive(
    { name: "iota", infer: (_, { shape, dtype }: IotaAttributes) => [{ shape, dtype }], gradient: flat },
    (apply, shape: Shape, axis: number, dtype: DType): Tensor => apply([], { shape, axis, dtype })[0]!,
  );

const castPrimitive: PrimitiveFunction<[x: Tensor, attributes: DTypeAttributes], Tensor, DTypeAttributes> =
  unaryPrimitive<DTypeAttributes>(
    "cast",
    ({ shape }, { dtype }) => ({ shape, dtype }),
    (g, x) =>
      isDifferentiable(x.dtype) ? cast(isComplex(g.dtype) && !isComplex(x.dtype) ? real(g) : g, x.dtype) : null,
  );
/** Converts elements; floats to integers truncate, anything to bool is `!== 0`. */
export const cast: PrimitiveFunction<[x: Tensor, dtype: DType], Tensor, DTypeAttributes> = Object.assign(
  (x: Tensor, dtype: DType): Tensor => (x.dtype === dtype ? x : castPrimitive(x, { dtype })),
  {
    primitive: castPrimitive.primitive,
  },
);

const bitcastPrimitive: PrimitiveFunction<[x: Tensor, attributes: DTypeAttributes], Tensor, DTypeAttributes> =
  unaryPrimitive<DTypeAttributes>(
    "bitcast",
    ({ shape }, { dtype }) => ({ shape, dtype }),
    () => null,
  );
/** Reads the bits of elements as another dtype of the same width. */
export const bitcast: PrimitiveFunction<[x: Tensor, dtype: DType], Tensor, DTypeAttributes> = Object.assign(
  (x: Tensor, dtype: DType): Tensor => bitcastPrimitive(x, { dtype }),
  { primitive: bitcastPrimitive.primitive },
);

/** The same values, as a constant for gradients. */
export const stopGradient: PrimitiveFunction<[x: Tensor], Tensor, object> = definePrimitive(
  { name: "stopGradient", infer: ([x]) => [x!], gradient: flat },
  (apply, x: Tensor): Tensor => apply([x], {})[0]!,
);
