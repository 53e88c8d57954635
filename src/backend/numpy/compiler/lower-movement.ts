import type { DType, Shape } from "../../../core/dtype.js";
import { dtypeBytes } from "../../../core/dtype.js";
import type { Instruction } from "../../../core/program.js";
import { kernelOf } from "../kernels/replay.js";
import { isSplat } from "./graph.js";
import type { Lower } from "./lower.js";
import type { Lowering } from "./lowering.js";
import { broadcastView, reshapeView, reverseView, sliceView, transposeView, type View } from "./view.js";

/** An instruction that only looks at its operand differently. */
const viewing =
  (see: (view: View, instruction: Instruction, shape: Shape, lowering: Lowering) => View): Lower =>
  (lowering, instruction) => {
    const operand = lowering.operand(instruction.inputs[0]!);
    const { shape, dtype } = lowering.spec(instruction.outputs[0]!);
    lowering.define(
      instruction.outputs[0]!,
      isSplat(operand) ? { ...operand, shape, dtype } : see(operand, instruction, shape, lowering),
    );
    return true;
  };

export const lowerMovement: Readonly<Record<string, Lower>> = {
  reshape: viewing(
    (view, _, shape, lowering) => reshapeView(view, shape) ?? reshapeView(lowering.contiguous(view), shape)!,
  ),
  transpose: viewing((view, { attributes }) =>
    transposeView(view, (attributes as { permutation: readonly number[] }).permutation),
  ),
  broadcastTo: viewing((view, _, shape) => broadcastView(view, shape)),
  slice: viewing((view, { attributes }, shape) => {
    const { start, strides } = attributes as { start: readonly number[]; strides: readonly number[] };
    return sliceView(view, start, strides, shape);
  }),
  reverse: viewing((view, { attributes }) => reverseView(view, (attributes as { axes: readonly number[] }).axes)),
  bitcast: (lowering, { inputs, outputs }) => {
    const operand = lowering.operand(inputs[0]!);
    const { dtype } = lowering.spec(outputs[0]!);
    if (isSplat(operand) || dtypeBytes(operand.dtype) !== dtypeBytes(dtype)) return false;
    lowering.define(outputs[0]!, { ...operand, dtype });
    return true;
  },
};

export const lowerCreate: Readonly<Record<string, Lower>> = {
  /** One axis of numbers, repeated along the others. */
  iota: (lowering, { outputs, attributes }) => {
    const { shape, axis, dtype } = attributes as { shape: Shape; axis: number; dtype: DType };
    const dim = shape[axis]!;
    const [numbers] = kernelOf(lowering.kernels, "iota")([], { shape: [dim], axis: 0, dtype }, [
      { shape: [dim], dtype },
    ]);
    const column = reshapeView(
      lowering.constant(numbers!),
      shape.map((d, i) => (i === axis ? d : 1)),
    )!;
    lowering.define(outputs[0]!, broadcastView(column, shape));
    return true;
  },
};
