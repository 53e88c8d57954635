import { configure } from "../../config/configure.js";
import { autoNamed, type Options, positiveInt } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import { multiply } from "../../ops/arithmetic.js";
import { repeat } from "../../ops/joining.js";
import { showShape } from "../base/shapes.js";
import {
  type AttentionCallOptions,
  ProjectedAttention,
  type ProjectedAttentionOptions,
} from "./projected-attention.js";

const fields = {
  // Python's class is called GroupedQueryAttention; only its public name lacks the "ed".
  name: autoNamed({ from: "GroupedQueryAttention" }),
  /** Size of a head. */
  headDim: positiveInt(),
  numQueryHeads: positiveInt(),
  /** Number of heads of keys and values: a divisor of `numQueryHeads`. */
  numKeyValueHeads: positiveInt(),
};
export interface GroupQueryAttentionOptions
  extends
    ProjectedAttentionOptions,
    Omit<Options<typeof fields>, "headDim" | "numQueryHeads" | "numKeyValueHeads" | "name"> {}

// b: batch, q: queries, k: keys, m: features, u: query heads, v: key heads, h: size of a head
const intoQueries = { equation: "bqm,muh->bquh", biasAxes: "uh" };
const intoKeys = { equation: "bkm,mvh->bkvh", biasAxes: "vh" };
const outOfHeads = { equation: "bquh,uhm->bqm", biasAxes: "m" };
const equations = { scores: "bkuh,bquh->buqk", outputs: "buqk,bkuh->bquh" };

/**
 * Attention in which groups of query heads share one head of keys and values (Ainslie et al., 2023). Called as
 * `layer(query, value, key, options)` on tensors [batch, steps, features].
 */
export class GroupQueryAttention extends configure(ProjectedAttention, "GroupQueryAttention", fields) {
  static override readonly attributeNames = {
    queryDense: "_query_dense",
    keyDense: "_key_dense",
    gateDense: "_gate_dense",
    valueDense: "_value_dense",
    softmax: "_softmax",
    dropoutLayer: "_dropout_layer",
    outputDense: "_output_dense",
  };

  constructor(
    headDim: number,
    numQueryHeads: number,
    numKeyValueHeads: number,
    options: GroupQueryAttentionOptions = {},
  ) {
    super({ headDim, numQueryHeads, numKeyValueHeads, ...options });
    if (this.numQueryHeads % this.numKeyValueHeads !== 0)
      throw new RangeError(
        `\`GroupQueryAttention.numQueryHeads\` must be a multiple of \`numKeyValueHeads\`. Received: ${numQueryHeads} and ${numKeyValueHeads}.`,
      );
  }
  override build(queryShape: SymbolicShape, valueShape: SymbolicShape, keyShape?: SymbolicShape): void {
    const keys = this.keyShape(valueShape, keyShape);
    const queryHeads = [null, this.numQueryHeads, this.headDim];
    const keyHeads = [null, this.numKeyValueHeads, this.headDim];
    this.queryDense = this.project("query", intoQueries, queryHeads, queryShape);
    this.keyDense = this.project("key", intoKeys, keyHeads, keys);
    if (this.useGate) this.gateDense = this.project("gate", intoQueries, queryHeads, queryShape, "sigmoid");
    this.valueDense = this.project("value", intoKeys, keyHeads, valueShape);
    this.buildScoring(4, 1);
    const features = queryShape.at(-1) ?? null;
    this.outputDense = this.project("attention_output", outOfHeads, [null, features], [null, ...queryHeads]);
  }
  override call(query: Tensor, value: Tensor, key?: Tensor | null, options: AttentionCallOptions = {}): unknown {
    const mask = this.seen(query, value, options);
    const gate = this.gateDense?.(query);
    const [attended, scores] = this.attend(
      this.queryDense!(query),
      this.keyDense!(key ?? value),
      this.valueDense!(value),
      { mask, axes: 1, equations, size: this.headDim, options },
    );
    const outputs = this.outputDense!(gate ? multiply(attended, gate) : attended);
    return options.returnAttentionScores ? [outputs, scores] : outputs;
  }
  protected override spreadHeads(heads: Tensor): Tensor {
    const group = this.numQueryHeads / this.numKeyValueHeads;
    return group === 1 ? heads : repeat(heads, group, { axis: 2 });
  }
  override computeOutputShape(
    queryShape: SymbolicShape,
    valueShape: SymbolicShape,
    keyShape?: SymbolicShape | null,
  ): SymbolicShape {
    this.keyShape(valueShape, keyShape);
    if (queryShape.at(-1) !== valueShape.at(-1))
      throw new RangeError(
        `Layer "${this.name}": query and value must have the same last axis. Received shapes ${showShape(queryShape)} and ${showShape(valueShape)}.`,
      );
    return queryShape;
  }
  protected override scoresShape(query: SymbolicShape, key: SymbolicShape): SymbolicShape {
    return [query[0] ?? null, this.numQueryHeads, query[1] ?? null, key[1] ?? null];
  }
}

registerBuiltins("keras.layers", { GroupQueryAttention });
