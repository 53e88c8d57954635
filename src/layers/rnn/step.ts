import type { Tensor } from "../../core/tensor.js";
import { isLayer } from "../base/state.js";
import type { Cell, States } from "./cell.js";

/** Runs a cell on the input of one step: its output, and the list of its next states. */
export function stepOf(
  cell: Cell,
  inputs: Tensor,
  states: readonly States[],
  training: boolean,
): [output: Tensor, states: readonly States[]] {
  const call = (isLayer(cell) ? cell : cell.call.bind(cell)) as Cell["call"];
  const result = call(inputs, states, { training });
  if (!Array.isArray(result) || result.length !== 2)
    throw new TypeError("The `call` method of a cell must return a pair of its output and its next states.");
  const [output, next] = result as [Tensor, States];
  return [output, Array.isArray(next) ? next : [next as Tensor]];
}
