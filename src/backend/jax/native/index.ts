import type { TensorSpec } from "../../../core/dtype.js";
import { random } from "../library.js";
import { isNative } from "../value.js";
import { convolutionLowerings } from "./convolution.js";
import { dotLowerings } from "./dot.js";
import { elementwiseLowerings } from "./elementwise.js";
import { indexingLowerings } from "./indexing.js";
import type { Lowering, Lowerings } from "./lowering.js";
import { movementLowerings } from "./movement.js";
import { poolingLowerings } from "./pooling.js";
import { reduceLowerings } from "./reduce.js";

const lowerings: Lowerings = {
  ...elementwiseLowerings,
  ...movementLowerings,
  ...reduceLowerings,
  ...indexingLowerings,
  ...dotLowerings,
  ...convolutionLowerings,
  ...poolingLowerings,
  // jax-js counts as JAX does, key by key: a stack of keys is left out.
  randomBits: {
    when: ([key]) => key!.shape.length === 1 && key!.dtype === "uint32",
    lower: ([key], { shape }) => [random.bits(key!.ref, [...shape])],
  },
};
const byName: Readonly<Record<string, Lowering<object> | undefined>> = lowerings as never;

/** How jax-js does the op; null when it cannot, or not right, with these arguments. */
export function loweringOf(
  op: string,
  inputs: readonly TensorSpec[],
  attributes: object,
  outputs: readonly TensorSpec[],
): Lowering<object> | null {
  const lowering = Object.hasOwn(byName, op) ? byName[op]! : null;
  if (!lowering || !inputs.every(isNative) || !outputs.every(isNative)) return null;
  return !lowering.when || lowering.when(inputs, attributes, outputs) ? lowering : null;
}
