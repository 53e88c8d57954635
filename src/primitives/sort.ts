import type { Tensor } from "../core/tensor.js";
import { full } from "./create.js";
import { definePrimitive, unaryPrimitive, type PrimitiveFunction } from "./define.js";
import { scatterAlongAxis } from "./indexing.js";

export interface TopKAttributes {
  readonly k: number;
}
export interface SearchSortedAttributes {
  readonly side: "left" | "right";
}

export interface SortAttributes {
  readonly axis: number;
  readonly descending: boolean;
}
const sortPrimitive: PrimitiveFunction<[x: Tensor, attributes: SortAttributes], Tensor, SortAttributes> =
  unaryPrimitive<SortAttributes>(
    "sort",
    ({ shape, dtype }) => ({ shape, dtype }),
    (g, x, _, { axis, descending }) =>
      scatterAlongAxis(full(x.shape, 0, x.dtype), argSort(x, axis, descending), g, axis, "add"),
  );
/** Elements in order along `axis`; NaNs come last, first when descending. */
export const sort: PrimitiveFunction<[x: Tensor, axis: number, descending?: boolean], Tensor, SortAttributes> =
  Object.assign((x: Tensor, axis: number, descending = false): Tensor => sortPrimitive(x, { axis, descending }), {
    primitive: sortPrimitive.primitive,
  });

const argSortPrimitive: PrimitiveFunction<[x: Tensor, attributes: SortAttributes], Tensor, SortAttributes> =
  unaryPrimitive<SortAttributes>(
    "argSort",
    ({ shape }) => ({ shape, dtype: "int32" }),
    () => null,
  );
/** The int32 positions that sort `x` along `axis`; equal elements keep their order. */
export const argSort: PrimitiveFunction<[x: Tensor, axis: number, descending?: boolean], Tensor, SortAttributes> =
  Object.assign((x: Tensor, axis: number, descending = false): Tensor => argSortPrimitive(x, { axis, descending }), {
    primitive: argSortPrimitive.primitive,
  });

/** The `k` largest elements of the last axis, largest first, and their int32 positions. */
export const topK: PrimitiveFunction<
  [x: Tensor, k: number],
  readonly [values: Tensor, positions: Tensor],
  TopKAttributes
> = definePrimitive(
  {
    name: "topK",
    infer: ([x], { k }: TopKAttributes) => {
      const shape = [...x!.shape.slice(0, -1), k];
      return [
        { shape, dtype: x!.dtype },
        { shape, dtype: "int32" as const },
      ];
    },
    gradient: ([g], { inputs: [x], outputs: [, positions] }) => [
      g ? scatterAlongAxis(full(x!.shape, 0, x!.dtype), positions!, g, x!.shape.length - 1, "add") : null,
    ],
  },
  (apply, x: Tensor, k: number): readonly [Tensor, Tensor] => apply([x], { k }) as readonly [Tensor, Tensor],
);

/** For each value the int32 position in the ascending vector `sorted` before ("left") or after ("right") its equals. */
export const searchSorted: PrimitiveFunction<
  [sorted: Tensor, values: Tensor, side: "left" | "right"],
  Tensor,
  SearchSortedAttributes
> = definePrimitive(
  {
    name: "searchSorted",
    infer: ([, values], _: SearchSortedAttributes) => [{ shape: values!.shape, dtype: "int32" as const }],
    gradient: () => [null, null],
  },
  (apply, sorted: Tensor, values: Tensor, side: "left" | "right"): Tensor => apply([sorted, values], { side })[0]!,
);
