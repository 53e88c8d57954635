import { initialValues } from "../../config/configurable.js";
import { configure } from "../../config/configure.js";
import { accessor, any, oneOf, optional, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { ArrayLikeData, NDArray } from "../../core/ndarray.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { add, divide, multiply } from "../../ops/arithmetic.js";
import { cast } from "../../ops/elementwise.js";
import { flip } from "../../ops/rearranging.js";
import { concatenate } from "../../ops/shape.js";
import { layerField } from "../base/layer-field.js";
import { Layer, type LayerOptions } from "../layer.js";
import type { SequenceCallOptions } from "./base-rnn.js";
import { assertOpposite, renamedCopy, sequenceLayer, type SequenceLayer } from "./direction.js";

const fields = {
  /** How the outputs of both directions become one; with null there are two. */
  mergeMode: optional(oneOf(["sum", "mul", "ave", "concat"]), "concat"),
  /** The layer that goes forwards. */
  layer: accessor(layerField()),
  /** First values of the weights, those of the forward layer first. */
  weights: accessor(any<readonly (NDArray | ArrayLikeData)[] | null>(null, { saved: false })),
  /** The layer that goes backwards; a copy of the other that does when it is null. */
  backwardLayer: accessor(optional(layerField())),
};
export interface BidirectionalOptions extends LayerOptions, Omit<Options<typeof fields>, "layer"> {}

/**
 * Runs a recurrent layer along sequences in both directions (Schuster & Paliwal, 1997). The layer is copied, with fresh weights; outputs
 * of the backward one are turned around, so that those of a step belong together.
 */
export class Bidirectional extends configure(Layer, "Bidirectional", fields) {
  static override readonly callArguments: readonly string[] = ["sequences", "initialState"];
  static override readonly callOptions: readonly string[] = ["mask", "training"];
  /** As Python's, it uses masks, but hands none on. */
  override supportsMasking = false;
  readonly forwardLayer: SequenceLayer;
  readonly backwardLayer: SequenceLayer;
  readonly #initialWeights: readonly (NDArray | ArrayLikeData)[] | null;

  constructor(layer: Layer, options: BidirectionalOptions = {}) {
    super({ layer, ...options });
    const given = initialValues(this, fields);
    const original = sequenceLayer(given.layer, "Bidirectional.layer");
    this.forwardLayer = renamedCopy(original, "forward_");
    this.backwardLayer = given.backwardLayer
      ? sequenceLayer(given.backwardLayer, "Bidirectional.backwardLayer")
      : renamedCopy(original, "backward_", { go_backwards: true });
    assertOpposite(this.forwardLayer, this.backwardLayer);
    // Masked steps must add nothing to the other direction's outputs.
    for (const one of [this.forwardLayer, this.backwardLayer])
      if (one.zeroOutputForMask !== undefined) one.zeroOutputForMask = one.returnSequences;
    this.inputSpec = original.inputSpec;
    this.#initialWeights = given.weights;
  }
  /** The layer that goes forwards. */
  get layer(): Layer {
    return this.forwardLayer;
  }
  get stateful(): boolean {
    return this.forwardLayer.stateful;
  }
  get returnSequences(): boolean {
    return this.forwardLayer.returnSequences;
  }
  get returnState(): boolean {
    return this.forwardLayer.returnState;
  }
  /** The states that stateful layers keep between calls, those of the forward layer first; null in others. */
  get states(): readonly Variable[] | null {
    const { states: forward } = this.forwardLayer;
    const { states: backward } = this.backwardLayer;
    return forward && backward ? [...forward, ...backward] : null;
  }
  /** Makes stateful layers forget: the next call begins with zeros. */
  resetState(): void {
    if (!this.stateful)
      throw new Error(`Layer "${this.name}" keeps no states: make the wrapped layer with \`stateful: true\`.`);
    this.forwardLayer.resetState();
    this.backwardLayer.resetState();
  }

  override build(sequencesShape: SymbolicShape, _initialStateShape?: unknown): void {
    for (const one of [this.forwardLayer, this.backwardLayer]) if (!one.built) one.build(sequencesShape);
    if (this.#initialWeights) this.setWeights(this.#initialWeights);
  }
  override call(
    sequences: Tensor,
    initialState?: readonly unknown[] | null,
    { mask, training }: SequenceCallOptions = {},
  ): unknown {
    const half = (initialState?.length ?? 0) / 2;
    const run = (one: SequenceLayer, states: readonly unknown[] | undefined): Tensor[] => {
      const options = { ...(mask && { mask }), ...(training !== undefined && { training }) };
      const result: unknown = states ? one(sequences, states, options) : one(sequences, options);
      return (Array.isArray(result) ? result : [result]) as Tensor[];
    };
    const [y, ...states] = run(this.forwardLayer, initialState?.slice(0, half));
    const [reversed, ...more] = run(this.backwardLayer, initialState?.slice(half));
    const there = cast(y!, this.inputDtype);
    const back = cast(reversed!, this.inputDtype);
    const outputs = this.#merge(there, this.returnSequences ? flip(back, { axis: 1 }) : back);
    if (this.returnState) return [...outputs, ...states, ...more];
    return outputs.length === 1 ? outputs[0] : outputs;
  }
  #merge(y: Tensor, reversed: Tensor): Tensor[] {
    switch (this.mergeMode) {
      case "concat":
        return [concatenate([y, reversed], { axis: -1 })];
      case "sum":
        return [add(y, reversed)];
      case "ave":
        return [divide(add(y, reversed), 2)];
      case "mul":
        return [multiply(y, reversed)];
      case null:
        return [y, reversed];
    }
  }

  override computeOutputShape(sequencesShape: SymbolicShape, _initialStateShape?: unknown): unknown {
    const shapes = this.forwardLayer.computeOutputShape(sequencesShape);
    const [output, ...states] = (this.returnState ? shapes : [shapes]) as [SymbolicShape, ...unknown[]];
    const last = output.at(-1) ?? null;
    const merged = this.mergeMode === "concat" ? [...output.slice(0, -1), last === null ? null : 2 * last] : output;
    const outputs = this.mergeMode === null ? [output, output] : [merged];
    if (this.returnState) return [...outputs, ...states, ...states];
    return outputs.length === 1 ? merged : outputs;
  }
  override computeMask(_sequences: unknown, mask: unknown): unknown {
    const steps: unknown = Array.isArray(mask) ? mask[0] : mask;
    const output = this.returnSequences ? steps : null;
    const outputs = this.mergeMode === null ? [output, output] : [output];
    const states = this.returnState ? (this.states ?? []).map(() => null) : [];
    return outputs.length + states.length === 1 ? output : [...outputs, ...states];
  }
}

registerBuiltins("keras.layers", { Bidirectional });
