import { sizeOf } from "../../../core/ndarray.js";
import type { ValueId } from "../../../core/program.js";
import { isSplat } from "./graph.js";
import type { Lowering } from "./lowering.js";
import type { View } from "./view.js";

/** Elementwise ops that a product or a convolution performs on its result while it is at hand. */
export interface Epilogue {
  readonly bias: View | null;
  readonly relu: boolean;
  /** The value that holds the result. */
  readonly output: ValueId;
}

/** Finds `+ bias` and `max(·, 0)` behind `output`, whose last axis has `width` elements, and takes those instructions out of the program. */
export function absorbEpilogue(lowering: Lowering, output: ValueId, width: number): Epilogue {
  let at = output;
  let bias: View | null = null;
  const { shape } = lowering.spec(output);
  const next = lowering.soleUser(at);
  if (next?.op === "add" && lowering.spec(next.outputs[0]!).shape.every((d, i) => d === shape[i])) {
    const other = next.inputs[0] === at ? next.inputs[1]! : next.inputs[0]!;
    const row = other === at || !lowering.isDefined(other) ? null : rowOf(lowering, other, width);
    if (row) {
      bias = row;
      lowering.absorbed.add(next);
      at = next.outputs[0]!;
    }
  }
  const last = lowering.soleUser(at);
  if (last?.op === "maximum") {
    const other = last.inputs[0] === at ? last.inputs[1]! : last.inputs[0]!;
    const zero = other === at || !lowering.isDefined(other) ? null : lowering.operand(other);
    if (zero && isSplat(zero) && zero.splat === 0 && sizeOf(lowering.spec(last.outputs[0]!).shape) === sizeOf(shape)) {
      lowering.absorbed.add(last);
      return { bias, relu: true, output: last.outputs[0]! };
    }
  }
  return { bias, relu: false, output: at };
}

/** The value as `width` adjacent floats that repeat along all leading axes, or null. */
function rowOf(lowering: Lowering, id: ValueId, width: number): View | null {
  const operand = lowering.operand(id);
  if (isSplat(operand)) return null;
  const { shape, strides } = operand;
  const rank = shape.length;
  if (rank === 0 || shape[rank - 1] !== width || (width > 1 && strides[rank - 1] !== 1)) return null;
  return shape.every((d, i) => i === rank - 1 || d === 1 || strides[i] === 0) ? operand : null;
}
