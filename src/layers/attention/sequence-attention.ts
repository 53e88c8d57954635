import { configure } from "../../config/configure.js";
import { float, type Options } from "../../config/fields.js";
import { toTensor } from "../../core/convert.js";
import { KerasTensor, type SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import { softmax } from "../../ops/activation.js";
import { subtract } from "../../ops/arithmetic.js";
import { logicalAnd, logicalNot, where } from "../../ops/logic.js";
import { matmul } from "../../ops/matmul.js";
import { expandDims } from "../../ops/shape.js";
import { dropout } from "../../random/random.js";
import { seed } from "../../random/seed-field.js";
import { SeedGenerator } from "../../random/seed-generator.js";
import { isPlainObject, symbolicShapeOf } from "../base/shapes.js";
import { Layer, type LayerOptions } from "../layer.js";
import { causalMask } from "./masks.js";

const fields = {
  /** Share of the scores that training leaves out. */
  dropout: float(0, { min: 0, max: 1 }),
  /** Makes dropout reproducible. */
  seed: seed(),
};
/** The options of attention between sequences as they are. */
export interface SequenceAttentionOptions extends LayerOptions, Options<typeof fields> {}

/** What a call may be told, beyond its tensors. */
export interface SequenceAttentionCallOptions {
  /** Masks of the query and of the value: [batch, steps]. */
  readonly mask?: readonly (TensorLike | null)[] | null;
  /** Whether to return the scores as well: [outputs, scores]. */
  readonly returnAttentionScores?: boolean;
  /** Whether queries see only keys at their own and earlier positions. */
  readonly useCausalMask?: boolean;
  readonly training?: boolean;
}

/**
 * Base of attention between sequences without projections: called on [query, value] or [query, value, key], tensors
 * [batch, steps, features].
 */
export abstract class SequenceAttention extends configure(Layer, "SequenceAttention", fields) {
  static override readonly callOptions: readonly string[] = [
    "mask",
    "training",
    "returnAttentionScores",
    "useCausalMask",
  ];
  seedGenerator: SeedGenerator | null = null;

  constructor(options: SequenceAttentionOptions) {
    super(options);
    if (this.dropout > 0)
      this.seedGenerator = this.seed instanceof SeedGenerator ? this.seed : new SeedGenerator(this.seed);
  }
  /** How well each key fits each query: [batch, queries, keys]. */
  protected abstract score(query: Tensor, key: Tensor): Tensor;

  override call(inputs: readonly Tensor[], options: SequenceAttentionCallOptions = {}): unknown {
    const { mask = null, returnAttentionScores = false, useCausalMask = false, training = false } = options;
    this.check(inputs, mask);
    const [query, value, key = value] = inputs as [Tensor, Tensor, Tensor?];
    const [queryMask, valueMask] = [mask?.[0] ?? null, mask?.[1] ?? null];
    let scores = this.score(query, key);
    const seen = this.seen(scores, valueMask, useCausalMask);
    if (seen) {
      // Not infinite: a query that sees nothing spreads its attention.
      const hidden = scores.dtype === "float16" ? 65504 : 1e9;
      scores = where(logicalNot(seen), subtract(scores, hidden), scores);
    }
    let weights = softmax(scores);
    if (training && this.seedGenerator) weights = dropout(weights, this.dropout, { seed: this.seedGenerator });
    let outputs = matmul(weights, value);
    if (queryMask !== null) outputs = where(expandDims(toTensor(queryMask, "bool"), -1), outputs, 0);
    return returnAttentionScores ? [outputs, weights] : outputs;
  }
  /** Which keys each query may see; null when it sees all. */
  private seen(scores: Tensor, valueMask: TensorLike | null, causal: boolean): Tensor | null {
    const [queries, keys] = scores.shape.slice(-2) as [number, number];
    let mask = valueMask === null ? null : toTensor(valueMask, "bool");
    if (mask && (causal || mask.ndim === 2)) mask = expandDims(mask, -2);
    if (!causal) return mask;
    const earlier = causalMask(queries, keys);
    return mask ? logicalAnd(mask, earlier) : earlier;
  }

  override computeMask(
    inputs: readonly Tensor[],
    mask: readonly (TensorLike | null)[] | null = null,
  ): Tensor | KerasTensor | null {
    this.check(inputs, mask);
    const first = mask?.[0] ?? null;
    return first === null || first instanceof KerasTensor ? first : toTensor(first);
  }
  override computeOutputShape([query, value]: readonly SymbolicShape[]): SymbolicShape {
    return [...query!.slice(0, -1), value!.at(-1) ?? null];
  }
  override computeOutputSpec(...args: unknown[]): unknown {
    const inputs = args[0] as readonly KerasTensor[];
    const options = args.slice(1).find(isPlainObject) ?? {};
    this.check(inputs, (options["mask"] as readonly null[] | undefined) ?? null);
    const [query, value, key = value] = inputs.map(symbolicShapeOf);
    const outputs = new KerasTensor(this.computeOutputShape([query!, value!]), this.inputDtype);
    if (!options["returnAttentionScores"]) return outputs;
    return [outputs, new KerasTensor([...query!.slice(0, -1), key!.at(-2) ?? null], this.inputDtype)];
  }

  /** Throws unless there are two or three inputs, or shapes of such, and as many masks if any. */
  protected check(inputs: unknown, mask: unknown = null): void {
    const isList = (value: unknown): boolean => Array.isArray(value) && typeof (value[0] ?? null) !== "number";
    if (!isList(inputs) || !hasTwoOrThree(inputs))
      throw new TypeError(
        `Layer "${this.name}" must be called on an array of tensors: [query, value] or [query, value, key].`,
      );
    if (mask !== null && !hasTwoOrThree(mask))
      throw new TypeError(
        `Layer "${this.name}" takes the masks of its inputs as an array, [query mask, value mask], with null for none.`,
      );
  }
}
const hasTwoOrThree = (value: unknown): boolean => Array.isArray(value) && (value.length === 2 || value.length === 3);
