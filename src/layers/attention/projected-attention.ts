import { configure } from "../../config/configure.js";
import { bool, float, optional, type Options, positiveInt } from "../../config/fields.js";
import { constraint } from "../../constraints/index.js";
import { isFlashAttentionEnabled } from "../../core/flash-attention.js";
import { KerasTensor, type SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import { Initializer } from "../../initializers/initializer.js";
import { initializer, type InitializerFunction } from "../../initializers/lookup.js";
import { multiply } from "../../ops/arithmetic.js";
import { dotProductAttention } from "../../ops/attention.js";
import { einsum } from "../../ops/einsum.js";
import { seed } from "../../random/seed-field.js";
import { regularizer } from "../../regularizers/index.js";
import { Softmax } from "../activations/softmax.js";
import { isPlainObject, showShape, symbolicShapeOf } from "../base/shapes.js";
import { EinsumDense, type EinsumDenseOptions } from "../core/einsum-dense.js";
import { Layer, type LayerOptions } from "../layer.js";
import { Dropout } from "../regularization/dropout.js";
import type { AttentionEquations, ProjectionEquation } from "./equations.js";
import { causalMask, joinMasks, slidingWindowMask, spreadMask, type StepMasks } from "./masks.js";

const fields = {
  /** Share of the scores that training leaves out. */
  dropout: float(0, { min: 0, max: 1 }),
  useBias: bool(true),
  /** Whether a sigmoid of the projected query scales what attention gives (Qiu et al., 2025). */
  useGate: bool(false),
  /** Queries see only keys less than this many steps away. */
  slidingWindow: optional(positiveInt()),
  /** Whether fused attention is wanted, which gives no scores and knows no dropout; null leaves the choice to the engine. */
  flashAttention: optional(bool(), null, { saved: false }),
  kernelInitializer: initializer("glorot_uniform"),
  biasInitializer: initializer("zeros"),
  kernelRegularizer: regularizer(),
  biasRegularizer: regularizer(),
  activityRegularizer: regularizer(),
  kernelConstraint: constraint(),
  biasConstraint: constraint(),
  /** Makes dropout reproducible. */
  seed: seed(),
};
/** The options of attention between projections. */
export interface ProjectedAttentionOptions extends Omit<LayerOptions, "activityRegularizer">, Options<typeof fields> {}

/** What a call of attention may be told, beyond its tensors. */
export interface AttentionCallOptions extends StepMasks {
  /** Whether to return the scores as well: [outputs, scores]. */
  readonly returnAttentionScores?: boolean;
  /** Whether queries see only keys at their own and earlier positions. */
  readonly useCausalMask?: boolean;
  readonly training?: boolean;
}

/** How outputs come from projected tensors. */
export interface Attending {
  readonly mask: Tensor | null;
  /** Axes of the tensors [batch, ..., heads, size] that attend, for each side. */
  readonly axes: number;
  readonly equations: AttentionEquations;
  /** Size of a head. */
  readonly size: number;
  readonly options: AttentionCallOptions;
}

/** Base of layers that project queries, keys and values to heads, attend, and project the result back. */
export abstract class ProjectedAttention extends configure(Layer, "ProjectedAttention", fields) {
  static override readonly callArguments: readonly string[] = ["query", "value", "key"];
  static override readonly callOptions: readonly string[] = [
    "queryMask",
    "valueMask",
    "keyMask",
    "attentionMask",
    "returnAttentionScores",
    "training",
    "useCausalMask",
  ];
  queryDense: EinsumDense | null = null;
  keyDense: EinsumDense | null = null;
  gateDense: EinsumDense | null = null;
  valueDense: EinsumDense | null = null;
  softmax: Softmax | null = null;
  dropoutLayer: Dropout | null = null;
  outputDense: EinsumDense | null = null;

  constructor(options: ProjectedAttentionOptions) {
    super(options);
    this.supportsMasking = true;
    if (this.isFlash && this.dropout > 0)
      throw new TypeError(
        `Layer "${this.name}": fused attention knows no dropout. Set \`dropout\` to 0 or \`flashAttention\` to false. Received: dropout ${this.dropout}.`,
      );
  }
  private get isFlash(): boolean {
    return this.flashAttention ?? isFlashAttentionEnabled() ?? false;
  }

  /** A projection with the weights' options of this layer, built for inputs of `shape`. */
  protected project(
    name: string,
    { equation, biasAxes }: ProjectionEquation,
    outputShape: SymbolicShape,
    shape: SymbolicShape,
    activation: EinsumDenseOptions["activation"] = null,
  ): EinsumDense {
    const dense = new EinsumDense(equation, outputShape, {
      name,
      activation,
      biasAxes: this.useBias ? biasAxes : null,
      // One instance would give all projections the same values.
      kernelInitializer: fresh(this.kernelInitializer),
      biasInitializer: fresh(this.biasInitializer),
      kernelRegularizer: this.kernelRegularizer,
      biasRegularizer: this.biasRegularizer,
      activityRegularizer: this.projectionRegularizer,
      kernelConstraint: this.kernelConstraint,
      biasConstraint: this.biasConstraint,
      dtype: this.dtypePolicy,
    });
    dense.build(shape);
    return dense;
  }
  /** The penalty on what projections give. */
  protected get projectionRegularizer(): EinsumDenseOptions["activityRegularizer"] {
    return this.activityRegularizer;
  }
  /** Makes the layers between the projections; the scores are normalized over their last `axes` axes. */
  protected buildScoring(rank: number, axes: number): void {
    this.softmax = new Softmax({
      axis: Array.from({ length: axes }, (_, i) => rank - axes + i),
      dtype: this.dtypePolicy,
    });
    this.dropoutLayer = new Dropout(this.dropout, { dtype: this.dtypePolicy, seed: this.seed });
  }

  /** Which keys a query may see; null when it sees all of them, or all but later ones. */
  protected seen(query: Tensor, value: Tensor, options: AttentionCallOptions): Tensor | null {
    const { useCausalMask = false, queryMask, valueMask, keyMask, attentionMask } = options;
    const [queries, keys] = [query.shape[1]!, value.shape[1]!];
    const positional: Tensor[] = [];
    if (this.slidingWindow !== null) positional.push(slidingWindowMask(queries, keys, this.slidingWindow));
    const masked = [queryMask, valueMask, keyMask, attentionMask].some((mask) => (mask ?? null) !== null);
    // Alone, it is left to attention itself, where engines need no mask for it.
    if (useCausalMask && (masked || positional.length > 0 || !this.isFused(query.ndim + 1, options)))
      positional.push(causalMask(queries, keys));
    return joinMasks(options, positional);
  }
  /** Whether attention runs as the one op that engines may have their own version of, for projected tensors of `rank` axes. */
  private isFused(rank: number, { returnAttentionScores = false }: AttentionCallOptions): boolean {
    return this.dropout === 0 && !returnAttentionScores && rank === 4;
  }
  /** Outputs [batch, ..., heads, size] and, unless the op for all of it ran, the scores. */
  protected attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    { mask, axes, equations, size, options }: Attending,
  ): [outputs: Tensor, scores: Tensor | null] {
    if (this.isFlash && options.returnAttentionScores)
      throw new TypeError(
        `Layer "${this.name}": fused attention gives no scores. Leave \`returnAttentionScores\` out, or set \`flashAttention\` to false.`,
      );
    const scale = 1 / Math.sqrt(size);
    if (this.isFused(query.ndim, options)) {
      const outputs = dotProductAttention(query, key, value, {
        scale,
        mask: mask && spreadMask(mask, 4, axes),
        isCausal: mask === null && (options.useCausalMask ?? false),
        flashAttention: this.flashAttention,
      });
      return [outputs, null];
    }
    const logits = einsum(equations.scores, this.spreadHeads(key), multiply(query, scale));
    const scores = this.softmax!(logits, { mask: mask && spreadMask(mask, logits.ndim, axes) });
    const kept = this.dropout > 0 ? this.dropoutLayer!(scores, { training: options.training }) : scores;
    return [einsum(equations.outputs, kept, this.spreadHeads(value)), scores];
  }
  /** Projected keys or values with a head for each head of the queries. */
  protected spreadHeads(heads: Tensor): Tensor {
    return heads;
  }

  /** The shape of the scores for inputs of these shapes. */
  protected abstract scoresShape(query: SymbolicShape, key: SymbolicShape): SymbolicShape;
  override computeOutputSpec(...args: unknown[]): unknown {
    const outputs = super.computeOutputSpec(...args);
    const last = args.at(-1);
    if (!isPlainObject(last) || !last["returnAttentionScores"]) return outputs;
    const [query, value, key] = args as (KerasTensor | null | undefined)[];
    const shape = this.scoresShape(symbolicShapeOf(query!), symbolicShapeOf(key ?? value!));
    return [outputs, new KerasTensor(shape, this.inputDtype)];
  }
  /** The shape of the keys; throws unless there are values and they have the keys' steps. */
  protected keyShape(value: SymbolicShape | null | undefined, key: SymbolicShape | null | undefined): SymbolicShape {
    if (!value)
      throw new TypeError(`Layer "${this.name}" must be called on a query and a value: \`layer(query, value)\`.`);
    const keys = key ?? value;
    const [a, b] = [value.slice(1, -1), keys.slice(1, -1)];
    if (a.length !== b.length || a.some((size, i) => size !== b[i]))
      throw new RangeError(
        `Layer "${this.name}": value and key must have the same axes, but for the last. Received shapes ${showShape(value)} and ${showShape(keys)}.`,
      );
    return keys;
  }
}

/** An initializer that draws anew; other functions stay as they are. */
const fresh = (given: InitializerFunction): InitializerFunction =>
  given instanceof Initializer ? (given.clone() as InitializerFunction) : given;
