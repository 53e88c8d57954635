import type { Tensor } from "../../core/tensor.js";
import { zeros } from "../../ops/creation.js";
import type { DType } from "../../core/dtype.js";

/** The size of a state, or of each of several states, without the batch axis. */
export type StateSize = number | readonly StateSize[];
/** The states of a cell: a tensor [batch, size] or a list of them; stacked cells have a list of their cells' states. */
export type States = Tensor | readonly States[];

/**
 * What `RNN` needs of a cell, be it a layer or a plain object. `call` gets the input of one step [batch, ...], the states and
 * `{ training }`, and returns the output and the next states.
 */
export interface Cell {
  readonly stateSize: StateSize;
  /** Size of the output; that of the first state when it is left out. */
  readonly outputSize?: number | undefined;
  call(inputs: Tensor, states: States, options: { training?: boolean }): unknown;
  /** The states to begin with; zeros when it is left out. */
  getInitialState?(batchSize: number): States;
}

/** Whether `value` can serve as a cell. */
export const isCell = (value: unknown): value is Cell =>
  ((typeof value === "object" && value !== null) || typeof value === "function") &&
  typeof (value as Partial<Cell>).call === "function" &&
  isStateSize((value as Partial<Cell>).stateSize);
const isStateSize = (value: unknown): value is StateSize =>
  typeof value === "number" || (Array.isArray(value) && value.every(isStateSize));

/** The size of a cell's output. */
export function outputSizeOf({ outputSize, stateSize }: Cell): number {
  if (typeof outputSize === "number") return outputSize;
  let size = stateSize;
  while (typeof size !== "number") size = size[0]!;
  return size;
}

/** The states that a cell begins with. */
export function initialStateOf(cell: Cell, batchSize: number, dtype: DType): States {
  const blank = (size: StateSize): States =>
    typeof size === "number" ? zeros([batchSize, size], { dtype }) : size.map(blank);
  return cell.getInitialState?.(batchSize) ?? blank(cell.stateSize);
}
