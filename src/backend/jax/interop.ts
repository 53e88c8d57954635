import type * as jaxJs from "@jax-js/jax";
import { isDType } from "../../core/dtype.js";
import { boundEngineName } from "../../core/engine.js";
import type { Adopted, ForeignArray } from "../../core/foreign.js";
import { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { holds, type JaxArray } from "./library.js";
import { isNative, Value } from "./value.js";

/**
 * A reference to an array of jax-js, without a copy; null for other arrays, for those on another device than the engine's and for
 * element types and empty shapes that the engine leaves to the built-in engine.
 */
export function adopt(array: ForeignArray): Adopted | null {
  if (!holds(array) || !isDType(array.dtype)) return null;
  const spec = { shape: [...array.shape], dtype: array.dtype };
  return isNative(spec) ? { ...spec, handle: Value.ofJax((array as JaxArray).ref, spec) } : null;
}

/**
 * The array of jax-js behind a tensor or variable, without a copy: a reference of the caller's own, which ops of jax-js consume and
 * `dispose()` gives back. Throws a TypeError for element types that jax-js lacks, and an Error when another engine runs.
 */
export function toJax(x: Tensor | Variable): jaxJs.Array {
  const { handle } = x instanceof Tensor ? x : x.value;
  if (!(handle instanceof Value))
    throw new Error(
      `toJax needs the "jax" engine, on which arrays are those of jax-js. Running: "${boundEngineName()}".`,
    );
  return handle.jax.ref;
}

/**
 * A tensor with the values of an array of jax-js, without a copy. The array stays the caller's, as an operand of any op does: the
 * tensor holds a reference of its own. Throws a TypeError for what `adopt` does not take: convert that with `convertToTensor`.
 */
export function fromJax(array: jaxJs.Array): Tensor {
  const adopted = adopt(array as unknown as ForeignArray);
  if (adopted) return new Tensor(adopted.handle, adopted);
  throw new TypeError(
    `fromJax shares arrays of jax-js on the engine's device with elements of type bool, int32, uint32 or float32. Received: ${array.toString()}. ` +
      "ops.convertToTensor copies any array.",
  );
}
