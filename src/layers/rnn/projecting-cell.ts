import { configure } from "../../config/configure.js";
import type { Tensor } from "../../core/tensor.js";
import type { StateSize, States } from "./cell.js";
import { DropoutCell } from "./dropout-cell.js";

/**
 * Base of cells whose gates add a product of the inputs and one of the state. Both are made apart, so that layers may project the inputs
 * of all steps at once.
 */
export abstract class ProjectingCell extends configure(DropoutCell, "ProjectingCell", {}) {
  abstract get stateSize(): StateSize;
  abstract get outputSize(): number;
  abstract getInitialState(batchSize: number): States;

  /** Whether masks of a rate are applied: Python's gates ignore a rate of 1. */
  protected drops(rate: number): boolean {
    return rate > 0 && rate < 1;
  }
  /** The masks that a product of inputs takes. */
  protected inputMasks(inputs: Tensor, training: boolean): readonly Tensor[] | null {
    return training && this.drops(this.dropout) ? this.getDropoutMask(inputs) : null;
  }
  /** The masks that a product of the state takes. */
  protected stateMasks(state: Tensor, training: boolean): readonly Tensor[] | null {
    return training && this.drops(this.recurrentDropout) ? this.getRecurrentDropoutMask(state) : null;
  }

  /** The inputs' product, for a step [batch, ...] or for all of them [steps, batch, ...]. */
  abstract project(inputs: Tensor, training: boolean): Tensor;
  /** The state's product. */
  abstract recur(state: Tensor, training: boolean): Tensor;
  /** The next states from the products of inputs and state; the first is the output. */
  abstract advance(
    projected: Tensor,
    recurrent: Tensor,
    states: readonly Tensor[],
    training: boolean,
  ): readonly Tensor[];

  override call(
    inputs: Tensor,
    states: States,
    { training = false }: { training?: boolean } = {},
  ): [output: Tensor, states: States] {
    const list = (Array.isArray(states) ? states : [states]) as readonly Tensor[];
    const next = this.advance(this.project(inputs, training), this.recur(list[0]!, training), list, training);
    return [next[0]!, Array.isArray(states) ? next : next[0]!];
  }
}
