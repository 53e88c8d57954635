import type { Tensor } from "../../core/tensor.js";
import { add, multiply } from "../../ops/arithmetic.js";
import { gatesOf } from "./gates.js";

/** Functions of a long short-term memory. */
interface Activations {
  readonly activation: (x: Tensor) => Tensor;
  readonly recurrentActivation: (x: Tensor) => Tensor;
}

/** Output and carry of a long short-term memory, from the sums of products for input, forget, candidate and output along the last axis but `after`. */
export function advanceMemory(
  { activation, recurrentActivation }: Activations,
  sums: Tensor,
  carry: Tensor,
  after = 0,
): readonly [output: Tensor, carry: Tensor] {
  const [input, forget, candidate, output] = gatesOf(sums, 4, after) as [Tensor, Tensor, Tensor, Tensor];
  const kept = multiply(recurrentActivation(forget), carry);
  const next = add(kept, multiply(recurrentActivation(input), activation(candidate)));
  return [multiply(recurrentActivation(output), activation(next)), next];
}
