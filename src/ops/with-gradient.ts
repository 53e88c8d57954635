import { record, withoutTapes } from "../core/tape.js";
import type { Tensor } from "../core/tensor.js";

/** What a hand-written gradient has to work with. */
export interface GradientParts {
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
}

/**
 * Runs `body` with a gradient of its own in place of the derived one. The gradient maps those of the outputs (null: zero) to those of
 * the inputs (null: none), in ops, so that it can be differentiated again.
 */
export function withGradient(
  name: string,
  inputs: readonly Tensor[],
  body: (inputs: readonly Tensor[]) => readonly Tensor[],
  gradient: (gradients: readonly (Tensor | null)[], parts: GradientParts) => readonly (Tensor | null)[],
): readonly Tensor[] {
  const outputs = withoutTapes(() => body(inputs));
  record({
    name,
    inputs,
    outputs,
    attributes: {},
    gradient: (gradients) => gradient(gradients, { inputs, outputs }),
  });
  return outputs;
}
