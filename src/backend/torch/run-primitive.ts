import type { TensorSpec } from "../../core/dtype.js";
import { control } from "./control.js";
import { runBuiltIn, runKernel } from "./eager.js";
import { kernelOf } from "./kernels/index.js";
import { CONTIGUOUS } from "./kernels/movement.js";
import { addon } from "./library.js";
import { findOp } from "./op-table.js";
import { fillArgument } from "./storage.js";
import type { Ref } from "./torch.js";
import { Value } from "./value.js";

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
    if (results) return viewing.has(primitive) ? results.map((y) => economical(y, inputs[0]!)) : results;
  }
  return control.run(primitive, inputs, attributes, outputs) ?? runBuiltIn(primitive, inputs, attributes, outputs);
}

/** Primitives whose results are views of parts. */
const viewing: ReadonlySet<string> = new Set(["slice", "dynamicSlice"]);
/** A view, or a copy in its place where the view would hold on to far more memory than it shows. */
function economical(view: Value, whole: Value): Value {
  if (view.size * 4 >= whole.size) return view;
  const copy = addon.call(findOp("clone").id, view.ref, CONTIGUOUS) as Ref;
  view.release();
  return Value.ofSlot(copy, view);
}

/** The value of all elements of a result, where the primitive says it. */
export function constantOf(primitive: string, attributes: object, [spec]: readonly TensorSpec[]): number | null {
  if (primitive !== "full") return null;
  return Number(fillArgument((attributes as { readonly value: number }).value, spec!.dtype));
}
