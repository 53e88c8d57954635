import { configure } from "../../config/configure.js";
import { deserializeKerasObject } from "../../config/deserialize.js";
import { isEnvelope } from "../../config/envelope.js";
import { any, derived } from "../../config/fields.js";
import { wrongValue } from "../../config/make-field.js";
import { registerBuiltins } from "../../config/registry.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import { Layer, type LayerOptions } from "../layer.js";
import { isLayer } from "../base/state.js";
import { type Cell, initialStateOf, isCell, outputSizeOf, type States, type StateSize } from "./cell.js";
import { stepOf } from "./step.js";

const fields = {
  /** The cells, from the first to the last. */
  cells: derived(any<readonly Cell[]>(), (value, name): readonly Cell[] => {
    const cells: unknown = Array.isArray(value)
      ? value.map((cell: unknown) => (isEnvelope(cell) ? deserializeKerasObject(cell) : cell))
      : value;
    if (!Array.isArray(cells) || cells.length === 0 || !cells.every(isCell))
      throw wrongValue(name, "an array of cells, each with a `call` method and a `stateSize`", value);
    return cells;
  }),
};

/** Several cells as one: each takes the output of the one before. The states are the list of the cells' states. */
export class StackedRNNCells extends configure(Layer, "StackedRNNCells", fields) {
  static override readonly callArguments: readonly string[] = ["inputs", "states"];

  constructor(cells: readonly Cell[], options: LayerOptions = {}) {
    super({ cells, ...options });
  }
  get stateSize(): readonly StateSize[] {
    return this.cells.map((cell) => cell.stateSize);
  }
  get outputSize(): number {
    return outputSizeOf(this.cells.at(-1)!);
  }
  /** The states that the cells begin with. */
  getInitialState(batchSize: number): States {
    return this.cells.map((cell) => initialStateOf(cell, batchSize, this.inputDtype));
  }
  override build(inputShape: SymbolicShape): void {
    let shape = inputShape;
    for (const cell of this.cells) {
      if (isLayer(cell) && !cell.built) {
        cell.build(shape);
        cell.built = true;
      }
      shape = [inputShape[0]!, outputSizeOf(cell)];
    }
  }
  override call(
    inputs: Tensor,
    states: readonly States[],
    { training = false }: { training?: boolean } = {},
  ): [output: Tensor, states: States] {
    let output = inputs;
    const next = this.cells.map((cell, i) => {
      const before = states[i]!;
      const [result, after] = stepOf(cell, output, Array.isArray(before) ? before : [before], training);
      output = result;
      return Array.isArray(before) || after.length > 1 ? after : after[0]!;
    });
    // Of a single cell the states are its own, as Python has it.
    return [output, next.length === 1 ? next[0]! : next];
  }
}

registerBuiltins("keras.layers", { StackedRNNCells });
