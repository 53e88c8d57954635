import { toTensor } from "../core/convert.js";
import type { TensorSpec } from "../core/dtype.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { flatten, packSequenceAs } from "../tree/index.js";

/** A nested structure of tensors taken apart. Null in it stays what it is. */
export interface TakenApart {
  readonly tensors: readonly Tensor[];
  /** Which tensors were plain numbers, whose dtype adapts. */
  readonly isPlain: readonly boolean[];
  /** The structure with other tensors in place of these. */
  pack(tensors: readonly Tensor[]): unknown;
}

/** The tensors of a tree: numbers, arrays and variables in it become tensors. */
export function takeApart(tree: unknown): TakenApart {
  const leaves = flatten(tree);
  const present = leaves.map((leaf) => (leaf ?? null) !== null);
  const given = leaves.filter((_, i) => present[i]);
  return {
    tensors: given.map((leaf) => toTensor(leaf as TensorLike)),
    isPlain: given.map((leaf) => typeof leaf === "number"),
    pack: (tensors) => {
      let next = 0;
      return packSequenceAs(
        tree,
        present.map((is) => (is ? tensors[next++] : null)),
      );
    },
  };
}

const sameSpec = (a: TensorSpec, b: TensorSpec): boolean =>
  a.dtype === b.dtype && a.shape.length === b.shape.length && a.shape.every((d, i) => Object.is(d, b.shape[i]));
const describe = ({ dtype, shape }: TensorSpec): string => `${dtype} [${shape.map(String).join(", ")}]`;

/** Throws a TypeError unless two lists of tensors have the same shapes and dtypes. `what` says what each list is. */
export function assertSameSpecs(
  a: readonly TensorSpec[],
  b: readonly TensorSpec[],
  name: string,
  what: readonly [string, string],
): void {
  if (a.length !== b.length)
    throw new TypeError(`${name}: ${what[0]} has ${a.length} tensors, ${what[1]} has ${b.length}. They must agree.`);
  a.forEach((spec, i) => {
    if (!sameSpec(spec, b[i]!))
      throw new TypeError(
        `${name}: tensor ${i} of ${what[0]} is ${describe(spec)}, that of ${what[1]} is ${describe(b[i]!)}. They must agree.`,
      );
  });
}
