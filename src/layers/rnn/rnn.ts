import { configure } from "../../config/configure.js";
import { deserializeKerasObject } from "../../config/deserialize.js";
import { isEnvelope } from "../../config/envelope.js";
import { any, derived } from "../../config/fields.js";
import { wrongValue } from "../../config/make-field.js";
import { registerBuiltins } from "../../config/registry.js";
import { BaseRNN, type SequenceOptions } from "./base-rnn.js";
import { type Cell, isCell } from "./cell.js";
import { StackedRNNCells } from "./stacked-rnn-cells.js";

const fields = {
  /** What runs at each step; several cells are stacked. */
  cell: derived(any<Cell | readonly Cell[]>(), (value, name): Cell => {
    if (Array.isArray(value)) return new StackedRNNCells(value as readonly Cell[]) as unknown as Cell;
    const cell: unknown = isEnvelope(value) ? deserializeKerasObject(value) : value;
    if (!isCell(cell)) throw wrongValue(name, "a cell with a `call` method and a `stateSize`", value);
    return cell;
  }),
};

/** Runs a cell along sequences [batch, steps, ...]. */
export class RNN extends configure(BaseRNN, "RNN", fields) {
  constructor(cell: Cell | readonly Cell[], options: SequenceOptions = {}) {
    super({ cell, ...options });
  }
}

registerBuiltins("keras.layers", { RNN });
