import { configure } from "../../config/configure.js";
import { bool, type Options, positiveInt } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Shape } from "../../core/dtype.js";
import type { Tensor } from "../../core/tensor.js";
import type { InitializerFunction } from "../../initializers/lookup.js";
import { add, multiply, subtract } from "../../ops/arithmetic.js";
import { matmul } from "../../ops/matmul.js";
import { reshape } from "../../ops/shape.js";
import * as P from "../../primitives/index.js";
import { seed } from "../../random/seed-field.js";
import type { LayerOptions } from "../layer.js";
import { cellTrainingFields, gateFields, implementationField, initializerFields } from "./cell-fields.js";
import { generatorOf } from "./dropout-cell.js";
import { gatesOf } from "./gates.js";
import { GatedCell } from "./gated-cell.js";

/** What a layer hands on to the cell it makes. */
export const gruCellFields = {
  /** Size of the state and of the output. */
  units: positiveInt(),
  ...gateFields,
  ...initializerFields,
  ...cellTrainingFields,
  /** Whether the reset gate scales the state's product, which then has a bias of its own, or the state before it is multiplied. */
  resetAfter: bool(true),
  /** Makes dropout reproducible. */
  seed: seed(),
  ...implementationField,
};
export interface GRUCellOptions extends LayerOptions, Options<typeof gruCellFields> {}

/**
 * One step of a gated recurrent unit (Cho et al., 2014): `h' = z · h + (1 - z) · candidate`. The gates, in the kernels' order, are
 * update z, reset and candidate.
 */
export class GRUCell extends configure(GatedCell, "GRUCell", gruCellFields) {
  protected override readonly gates = 3;
  override readonly seedGenerator = generatorOf(this.seed);

  constructor(units: number, options: GRUCellOptions = {}) {
    super({ units, ...options });
  }
  override get stateSize(): number {
    return this.units;
  }
  protected override get splitsGates(): boolean {
    return this.implementation === 1 || this.recurrentDropout !== 0;
  }
  protected override get biasWeight(): { readonly shape: Shape; readonly initializer: InitializerFunction } {
    const width = 3 * this.units;
    return { shape: this.resetAfter ? [2, width] : [width], initializer: this.biasInitializer };
  }
  protected override get inputBias(): Tensor | null {
    return this.bias && (this.resetAfter ? this.#biasRow(0) : this.bias.value);
  }
  override get stateBias(): Tensor | null {
    return this.bias && this.resetAfter ? this.#biasRow(1) : null;
  }
  #biasRow(i: number): Tensor {
    const width = 3 * this.units;
    return reshape(P.slice(this.bias!.value, [i, 0], [i + 1, width]), [width]);
  }
  /** The columns of the gates that take the state as it is. */
  override get stateKernel(): Tensor {
    return this.resetAfter ? super.stateKernel : this.#columns(0, 2);
  }
  #columns(from: number, to: number): Tensor {
    const { units } = this;
    return P.slice(super.stateKernel, [0, from * units], [units, to * units]);
  }
  override isPlain(training: boolean): boolean {
    return this.resetAfter && super.isPlain(training);
  }
  override advance(
    projected: Tensor,
    recurrent: Tensor,
    [state]: readonly Tensor[],
    training: boolean,
  ): readonly Tensor[] {
    const [xUpdate, xReset, xCandidate] = gatesOf(projected, 3) as [Tensor, Tensor, Tensor];
    const [hUpdate, hReset, hCandidate] = gatesOf(recurrent, this.resetAfter ? 3 : 2);
    const update = this.recurrentActivation(add(xUpdate, hUpdate!));
    const reset = this.recurrentActivation(add(xReset, hReset!));
    const kept = hCandidate
      ? multiply(reset, hCandidate)
      : matmul(multiply(reset, this.#candidateState(state!, training)), this.#columns(2, 3));
    const candidate = this.activation(add(xCandidate, kept));
    return [add(multiply(update, state!), multiply(subtract(1, update), candidate))];
  }
  /** The state as the candidate sees it. */
  #candidateState(state: Tensor, training: boolean): Tensor {
    const masks = this.stateMasks(state, training);
    return masks ? multiply(state, masks.at(-1)!) : state;
  }
}

registerBuiltins("keras.layers", { GRUCell });
