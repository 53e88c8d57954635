import type { TensorSpec } from "../../core/dtype.js";
import { runControl } from "./control.js";
import { runBuiltIn, runKernel } from "./eager.js";
import { kernelOf } from "./kernels/index.js";
import { fillArgument } from "./storage.js";
import type { Value } from "./value.js";

/** Runs a primitive: in ATen ops where its kernel takes the arguments, else on the built-in engine. */
export function runPrimitive(
  primitive: string,
  inputs: readonly Value[],
  attributes: object,
  outputs: readonly TensorSpec[],
): Value[] {
  const kernel = kernelOf(primitive);
  if (kernel) {
    const results = runKernel(kernel, inputs, attributes, outputs, constantOf(primitive, attributes, outputs));
    if (results) return results;
  }
  return runControl(primitive, inputs, attributes, outputs) ?? runBuiltIn(primitive, inputs, attributes, outputs);
}

/** The value of all elements of a result, where the primitive says it. */
export function constantOf(primitive: string, attributes: object, [spec]: readonly TensorSpec[]): number | null {
  if (primitive !== "full") return null;
  return Number(fillArgument((attributes as { readonly value: number }).value, spec!.dtype));
}
