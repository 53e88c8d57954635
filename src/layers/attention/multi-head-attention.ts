import { initialValues } from "../../config/configurable.js";
import { configure } from "../../config/configure.js";
import type { Config } from "../../config/field.js";
import { accessor, derived, intOrInts, optional, type Options, positiveInt } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import { multiply } from "../../ops/arithmetic.js";
import { type RegularizerFunction, regularizers } from "../../regularizers/index.js";
import { type AttentionEquations, attentionEquations, projectionEquation } from "./equations.js";
import {
  type AttentionCallOptions,
  ProjectedAttention,
  type ProjectedAttentionOptions,
} from "./projected-attention.js";

/** One integer or several, as an array. */
const several = (min?: number) =>
  optional(
    derived(intOrInts(min === undefined ? {} : { min }), (value): readonly number[] =>
      typeof value === "number" ? [value] : value,
    ),
  );
const fields = {
  /** Number of heads. */
  numHeads: positiveInt(),
  /** Size of a head's queries and keys. */
  keyDim: positiveInt(),
  /** Size of a head's values; `keyDim` when null. */
  valueDim: accessor(optional(positiveInt())),
  /** Shape of the outputs' last axes; the size of the queries' last axis when null. */
  outputShape: several(1),
  /** Axes that attend; all but the batch axis and the last when null. */
  attentionAxes: accessor(several()),
};
export interface MultiHeadAttentionOptions
  extends ProjectedAttentionOptions, Omit<Options<typeof fields>, "numHeads" | "keyDim"> {}

/**
 * Attention of several heads (Vaswani et al., 2017): queries [batch, queries, features] look up values [batch, keys, features] by
 * their keys, which are the values unless given. Called as `layer(query, value, key, options)`.
 */
export class MultiHeadAttention extends configure(ProjectedAttention, "MultiHeadAttention", fields) {
  static override readonly attributeNames = {
    gateDense: "_gate_dense",
    softmax: "_softmax",
    dropoutLayer: "_dropout_layer",
  };
  readonly #valueDim: number;
  #attentionAxes: readonly number[] | null;
  readonly #projectionRegularizer: RegularizerFunction | null;
  #equations: AttentionEquations | null = null;

  constructor(numHeads: number, keyDim: number, options: MultiHeadAttentionOptions = {}) {
    super({ numHeads, keyDim, ...options });
    const { valueDim, attentionAxes } = initialValues(this, fields);
    this.#valueDim = valueDim ?? keyDim;
    this.#attentionAxes = attentionAxes;
    // The penalty is on the projections and not on the layer.
    this.#projectionRegularizer = this.activityRegularizer;
    (this as { activityRegularizer: RegularizerFunction | null }).activityRegularizer = null;
  }
  get valueDim(): number {
    return this.#valueDim;
  }
  /** The axes that attend; null until the layer is built when they were not given. */
  get attentionAxes(): readonly number[] | null {
    return this.#attentionAxes;
  }
  protected override get projectionRegularizer(): RegularizerFunction | null {
    return this.#projectionRegularizer;
  }
  override getConfig(): Config {
    return { ...super.getConfig(), activity_regularizer: regularizers.serialize(this.#projectionRegularizer) };
  }

  override build(queryShape: SymbolicShape, valueShape: SymbolicShape, keyShape?: SymbolicShape): void {
    const keys = this.keyShape(valueShape, keyShape);
    const project = (name: string, shape: SymbolicShape, size: number, activation: "sigmoid" | null = null) => {
      const outer = shape.length - 1;
      const heads = [...Array<null>(outer - 1).fill(null), this.numHeads, size];
      return this.project(name, projectionEquation(outer, 1, 2), heads, shape, activation);
    };
    this.queryDense = project("query", queryShape, this.keyDim);
    this.keyDense = project("key", keys, this.keyDim);
    if (this.useGate) this.gateDense = project("gate", queryShape, this.valueDim, "sigmoid");
    this.valueDense = project("value", valueShape, this.valueDim);
    this.buildAttention(valueShape.length + 1);
    const outer = queryShape.length - 1;
    const outputs = this.outputShape ?? [queryShape[outer]!];
    this.outputDense = this.project(
      "attention_output",
      projectionEquation(outer, 2, outputs.length),
      [...Array<null>(outer - 1).fill(null), ...outputs],
      [...queryShape.slice(0, -1), this.numHeads, this.valueDim],
    );
  }
  /** Prepares attention between projected tensors of `rank` axes. */
  private buildAttention(rank: number): void {
    const axes = (this.#attentionAxes ?? Array.from({ length: rank - 3 }, (_, i) => i + 1)).map((axis) =>
      axis >= 0 ? axis : rank - 1 + axis,
    );
    this.#attentionAxes = axes;
    this.#equations = attentionEquations(rank, axes);
    this.buildScoring(rank - 1 + axes.length, axes.length);
  }

  override call(query: Tensor, value: Tensor, key?: Tensor | null, given: AttentionCallOptions = {}): unknown {
    // Masks end here, for the callers' tensors too, as they do in Python; that of the query is put on the outputs.
    const options = { ...given, queryMask: query.kerasMask };
    for (const x of [query, value, key]) if (x) x.kerasMask = null;
    const mask = this.seen(query, value, options);
    const gate = this.gateDense?.(query);
    const [attended, scores] = this.attend(
      this.queryDense!(query),
      this.keyDense!(key ?? value),
      this.valueDense!(value),
      { mask, axes: this.#attentionAxes!.length, equations: this.#equations!, size: this.keyDim, options },
    );
    const outputs = this.outputDense!(gate ? multiply(attended, gate) : attended);
    outputs.kerasMask = options.queryMask;
    return options.returnAttentionScores ? [outputs, scores] : outputs;
  }
  override computeOutputShape(
    queryShape: SymbolicShape,
    valueShape: SymbolicShape,
    keyShape?: SymbolicShape | null,
  ): SymbolicShape {
    this.keyShape(valueShape, keyShape);
    return this.outputShape ? [...queryShape.slice(0, -1), ...this.outputShape] : queryShape;
  }
  protected override scoresShape(query: SymbolicShape, key: SymbolicShape): SymbolicShape {
    const axes = this.#attentionAxes!;
    const batch = query.slice(0, -1).filter((_, i) => !axes.includes(i));
    return [...batch, this.numHeads, ...axes.map((axis) => query[axis]!), ...axes.map((axis) => key[axis]!)];
  }
}

registerBuiltins("keras.layers", { MultiHeadAttention });
