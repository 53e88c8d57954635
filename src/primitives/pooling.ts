import type { Shape } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { windowCount } from "./convolution.js";
import { definePrimitive, type PrimitiveFunction } from "./define.js";

export interface PoolAttributes {
  /** Per spatial axis of [batch, ...spatial, channels]. */
  readonly window: Shape;
  readonly strides: readonly number[];
  /** Elements outside before and after each spatial axis: lowest for max, zero for sum. */
  readonly padding: readonly (readonly [number, number])[];
}
const pooled = (shape: Shape, { window, strides, padding }: PoolAttributes): Shape => [
  shape[0]!,
  ...window.map((size, i) => windowCount(shape[i + 1]!, size, strides[i]!, padding[i]!)),
  shape.at(-1)!,
];

/** Largest element of each window. */
export const maxPool: PrimitiveFunction<[x: Tensor, attributes: PoolAttributes], Tensor, PoolAttributes> =
  definePrimitive(
    {
      name: "maxPool",
      infer: ([x], attributes: PoolAttributes) => [{ shape: pooled(x!.shape, attributes), dtype: x!.dtype }],
      gradient: ([g], { inputs: [x], attributes }) => [maxPoolGradient(x!, g!, attributes)],
    },
    (apply, x: Tensor, attributes: PoolAttributes): Tensor => apply([x], attributes)[0]!,
  );
/** Adds each element of the pooled-shaped `g` where its window's first largest element of `x` lies. */
export const maxPoolGradient: PrimitiveFunction<
  [x: Tensor, g: Tensor, attributes: PoolAttributes],
  Tensor,
  PoolAttributes
> = definePrimitive(
  {
    name: "maxPoolGradient",
    infer: ([x], _: PoolAttributes) => [{ shape: x!.shape, dtype: x!.dtype }],
    gradient: ([G], { inputs: [x], attributes }) => [null, maxPoolSelect(x!, G!, attributes)],
  },
  (apply, x: Tensor, g: Tensor, attributes: PoolAttributes): Tensor => apply([x, g], attributes)[0]!,
);
/** The elements of the x-shaped `t` that lie where the windows' first largest elements of `x` lie. */
export const maxPoolSelect: PrimitiveFunction<
  [x: Tensor, t: Tensor, attributes: PoolAttributes],
  Tensor,
  PoolAttributes
> = definePrimitive(
  {
    name: "maxPoolSelect",
    infer: ([x, t], attributes: PoolAttributes) => [{ shape: pooled(x!.shape, attributes), dtype: t!.dtype }],
    gradient: ([G], { inputs: [x], attributes }) => [null, maxPoolGradient(x!, G!, attributes)],
  },
  (apply, x: Tensor, t: Tensor, attributes: PoolAttributes): Tensor => apply([x, t], attributes)[0]!,
);

/** Sum of each window. */
export const sumPool: PrimitiveFunction<[x: Tensor, attributes: PoolAttributes], Tensor, PoolAttributes> =
  definePrimitive(
    {
      name: "sumPool",
      infer: ([x], attributes: PoolAttributes) => [{ shape: pooled(x!.shape, attributes), dtype: x!.dtype }],
      gradient: ([g], { inputs: [x], attributes }) => [sumPoolGradient(g!, attributes, x!.shape.slice(1, -1))],
    },
    (apply, x: Tensor, attributes: PoolAttributes): Tensor => apply([x], attributes)[0]!,
  );
export interface SumPoolGradientAttributes extends PoolAttributes {
  /** Spatial shape of the pooling's input. */
  readonly spatial: Shape;
}
/** The transpose of `sumPool`: adds each element of `g` to all elements of its window. */
export const sumPoolGradient: PrimitiveFunction<
  [g: Tensor, attributes: PoolAttributes, spatial: Shape],
  Tensor,
  SumPoolGradientAttributes
> = definePrimitive(
  {
    name: "sumPoolGradient",
    infer: ([g], { spatial }: SumPoolGradientAttributes) => [
      { shape: [g!.shape[0]!, ...spatial, g!.shape.at(-1)!], dtype: g!.dtype },
    ],
    gradient: ([G], { attributes: { window, strides, padding } }) => [sumPool(G!, { window, strides, padding })],
  },
  (apply, g: Tensor, attributes: PoolAttributes, spatial: Shape): Tensor => apply([g], { ...attributes, spatial })[0]!,
);
