import type { TensorSpec } from "../core/dtype.js";
import type { Program } from "../core/program.js";
import type { Tensor } from "../core/tensor.js";
import { condGradient, scanGradient } from "./control-gradients.js";
import { definePrimitive, type PrimitiveFunction } from "./define.js";

const outputsOf = (program: Program): TensorSpec[] => program.outputs.map((id) => program.values[id]!);

export interface CondAttributes {
  /** Programs of the operands after the predicate; their outputs have equal specs. */
  readonly whenTrue: Program;
  readonly whenFalse: Program;
}
/** Runs one of two Programs. Inputs: a bool scalar, then the operands of both. */
export const cond: PrimitiveFunction<
  [predicate: Tensor, operands: readonly Tensor[], attributes: CondAttributes],
  readonly Tensor[],
  CondAttributes
> = definePrimitive(
  {
    name: "cond",
    infer: (_, { whenTrue }: CondAttributes) => outputsOf(whenTrue),
    gradient: (gradients, context) => condGradient(gradients, context),
  },
  (apply, predicate: Tensor, operands: readonly Tensor[], attributes: CondAttributes): readonly Tensor[] =>
    apply([predicate, ...operands], attributes),
);

export interface WhileLoopAttributes {
  /** From carries and captured values to a bool scalar. */
  readonly condition: Program;
  /** From carries and captured values to the next carries. */
  readonly body: Program;
  /** How many inputs are carried; then come the condition's captured values, then the body's. */
  readonly carries: number;
  readonly conditionCaptures: number;
}
/** Repeats `body` on the carries while `condition` holds. Has no reverse-mode gradient: its length is unknown. */
export const whileLoop: PrimitiveFunction<
  [inputs: readonly Tensor[], attributes: WhileLoopAttributes],
  readonly Tensor[],
  WhileLoopAttributes
> = definePrimitive(
  {
    name: "whileLoop",
    infer: (inputs, { carries }: WhileLoopAttributes) =>
      inputs.slice(0, carries).map(({ shape, dtype }) => ({ shape, dtype })),
    gradient: null,
  },
  (apply, inputs: readonly Tensor[], attributes: WhileLoopAttributes): readonly Tensor[] => apply(inputs, attributes),
);

export interface ScanAttributes {
  /** From carries, one slice of each sequence and captured values to the next carries and one slice of each result. */
  readonly body: Program;
  readonly carries: number;
  readonly sequences: number;
  readonly length: number;
  readonly reverse: boolean;
  /** Whether to return also the carries each step began with, stacked: what the gradient needs. */
  readonly keepCarries: boolean;
}
/**
 * Runs `body` along the leading axis of sequences. Inputs: carries, sequences, captured values.
 * Results: final carries, stacked results, and, when kept, stacked initial carries of the steps.
 */
export const scan: PrimitiveFunction<
  [inputs: readonly Tensor[], attributes: ScanAttributes],
  readonly Tensor[],
  ScanAttributes
> = definePrimitive(
  {
    name: "scan",
    infer: (inputs, { body, carries, length, keepCarries }: ScanAttributes) => {
      const stacked = ({ shape, dtype }: TensorSpec): TensorSpec => ({ shape: [length, ...shape], dtype });
      const outputs = outputsOf(body);
      return [
        ...outputs.slice(0, carries),
        ...outputs.slice(carries).map(stacked),
        ...(keepCarries ? inputs.slice(0, carries).map(stacked) : []),
      ];
    },
    gradient: (gradients, context) => scanGradient(gradients, context),
  },
  (apply, inputs: readonly Tensor[], attributes: ScanAttributes): readonly Tensor[] => apply(inputs, attributes),
);
