import type { Tensor } from "../../core/tensor.js";
import { flatten } from "../../tree/index.js";
import * as P from "../../primitives/index.js";
import { type Cell, outputSizeOf, type States } from "./cell.js";
import { DropoutCell } from "./dropout-cell.js";
import { StackedRNNCells } from "./stacked-rnn-cells.js";

/** Draws the masks of a cell for a call on sequences [steps, batch, ...], whatever it is for: the seeds move on as in Python. */
export function drawMasks(cell: Cell, inputs: Tensor, states: readonly States[]): void {
  const { shape, dtype } = inputs;
  drawFor(cell, P.full(shape.slice(1), 1, dtype), states);
}
function drawFor(cell: Cell, step: Tensor, states: readonly States[]): void {
  if (cell instanceof DropoutCell) {
    cell.getDropoutMask(step);
    cell.getRecurrentDropoutMask(flatten(states)[0] as Tensor);
  } else if (cell instanceof StackedRNNCells) {
    let inputs = step;
    cell.cells.forEach((inner, i) => {
      const own = states[i]!;
      drawFor(inner, inputs, (Array.isArray(own) ? own : [own]) as readonly States[]);
      inputs = P.full([step.shape[0]!, outputSizeOf(inner)], 1, step.dtype);
    });
  }
}

/** Forgets the masks of a cell, so that the next call draws anew. */
export function resetMasks(cell: Cell): void {
  if (cell instanceof DropoutCell) {
    cell.resetDropoutMask();
    cell.resetRecurrentDropoutMask();
  } else if (cell instanceof StackedRNNCells) cell.cells.forEach(resetMasks);
}
