import type { DType, TensorSpec } from "../../../core/dtype.js";
import type { Instruction, ValueId } from "../../../core/program.js";

/** Ops whose kernels compute in float32 whatever the float type of their operands is. */
const computedInFloat32 = new Set(
  (
    "dot convolution convolutionInputGradient convolutionKernelGradient maxPool maxPoolGradient sumPool sumPoolGradient " +
    "sum max min product argMax argMin scatter"
  ).split(" "),
);
const narrow: ReadonlySet<DType> = new Set<DType>(["float16", "bfloat16"]);

/** The instruction on 16-bit floats as casts around one on float32; itself when that is not called for. New values go to `values`. */
export function widen(instruction: Instruction, values: TensorSpec[]): readonly Instruction[] {
  const { op, inputs, outputs, attributes } = instruction;
  if (!computedInFloat32.has(op) || !narrow.has(values[inputs[0]!]!.dtype)) return [instruction];
  const before: Instruction[] = [];
  const after: Instruction[] = [];
  const fresh = (id: ValueId): ValueId => values.push({ shape: values[id]!.shape, dtype: "float32" }) - 1;
  const cast = (from: ValueId, to: ValueId): Instruction => ({
    op: "cast",
    inputs: [from],
    outputs: [to],
    attributes: { dtype: values[to]!.dtype },
  });
  const wideInputs = inputs.map((id) => {
    if (!narrow.has(values[id]!.dtype)) return id;
    const wide = fresh(id);
    before.push(cast(id, wide));
    return wide;
  });
  const wideOutputs = outputs.map((id) => {
    if (!narrow.has(values[id]!.dtype)) return id;
    const wide = fresh(id);
    after.push(cast(wide, id));
    return wide;
  });
  return [...before, { op, inputs: wideInputs, outputs: wideOutputs, attributes }, ...after];
}
