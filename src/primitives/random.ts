import type { Shape } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { definePrimitive, flat, type PrimitiveFunction } from "./define.js";

export interface BitsAttributes {
  /** Shape drawn for each key. */
  readonly shape: Shape;
}
/**
 * Both words of Threefry-2x32 (Salmon et al., 2011) with 20 rounds, for each uint32 key [..., 2] over the counters 0, 1, 2... of `shape`:
 * counter n is (n >> 32, n mod 2³²), as in JAX's partitionable layout. Results are uint32 [...batch of keys, ...shape].
 */
export const threefry: PrimitiveFunction<[key: Tensor, shape: Shape], readonly [Tensor, Tensor], BitsAttributes> =
  definePrimitive(
    {
      name: "threefry",
      infer: ([key], { shape }: BitsAttributes) => {
        const spec = { shape: [...key!.shape.slice(0, -1), ...shape], dtype: "uint32" as const };
        return [spec, spec];
      },
      gradient: flat,
    },
    (apply, key: Tensor, shape: Shape): readonly [Tensor, Tensor] =>
      apply([key], { shape }) as readonly [Tensor, Tensor],
  );
/** 32 random bits an element: the exclusive or of the two words of `threefry`. */
export const randomBits: PrimitiveFunction<[key: Tensor, shape: Shape], Tensor, BitsAttributes> = definePrimitive(
  {
    name: "randomBits",
    infer: ([key], { shape }: BitsAttributes) => [
      { shape: [...key!.shape.slice(0, -1), ...shape], dtype: "uint32" as const },
    ],
    gradient: flat,
  },
  (apply, key: Tensor, shape: Shape): Tensor => apply([key], { shape })[0]!,
);
