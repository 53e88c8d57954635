import type { TensorSpec } from "./dtype.js";
import { interpreter } from "./interpreter.js";
import { record } from "./tape.js";
import type { Tensor } from "./tensor.js";

export interface GradientContext<A extends object> {
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
  readonly attributes: A;
  /** Which inputs a gradient is wanted for. */
  readonly needed: readonly boolean[];
}
/** From the gradients of the outputs (null: zero) to those of the inputs (null: none). Written in ops, so it can be differentiated again. */
export type GradientRule<A extends object> = (
  gradients: readonly (Tensor | null)[],
  context: GradientContext<A>,
) => readonly (Tensor | null)[];

/** An op every engine provides: its shape and dtype rule and its gradient. In rules, an unknown dimension is NaN. */
export interface Primitive<A extends object = object, Name extends string = string> {
  readonly name: Name;
  readonly infer: (inputs: readonly TensorSpec[], attributes: A) => readonly TensorSpec[];
  /** Null: asking for a gradient through it is an error. */
  readonly gradient: GradientRule<A> | null;
}

/** Applies `primitive` in the current mode (eager, spec or trace) and records it for gradients. */
export function bind<A extends object>(
  primitive: Primitive<A>,
  inputs: readonly Tensor[],
  attributes: A,
): readonly Tensor[] {
  const outputs = interpreter.get().run(primitive, inputs, attributes);
  const gradient = primitive.gradient as GradientRule<object> | null;
  record({ name: primitive.name, gradient, inputs, outputs, attributes });
  return outputs;
}
