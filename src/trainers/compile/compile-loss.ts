import { isEnvelope } from "../../config/envelope.js";
import { floatx } from "../../core/settings.js";
import type { Tensor } from "../../core/tensor.js";
import { Mean } from "../../metrics/index.js";
import { add, multiply } from "../../ops/arithmetic.js";
import { cast } from "../../ops/elementwise.js";
import { flatten, isNested } from "../../tree/index.js";
import type { TensorTree } from "../types.js";
import { alignTargets } from "./align-targets.js";
import type { LossIdentifier } from "./identify.js";
import { buildLossEntries, type LossEntry, type PerOutput } from "./loss-entries.js";

/** The losses of a compiled model, one for each output, as a weighted sum. Takes shape at the first targets and predictions. */
export class CompileLoss {
  /** Averages of the losses, unweighted, when there are several. */
  readonly metrics: Mean[] = [];
  #entries: readonly LossEntry[] | null = null;

  constructor(
    private readonly loss: PerOutput<LossIdentifier>,
    private readonly lossWeights: PerOutput<number>,
    private readonly outputNames: readonly string[] | null,
  ) {}

  get built(): boolean {
    return this.#entries !== null;
  }
  /** The losses; none before the first call. */
  get entries(): readonly LossEntry[] {
    return this.#entries ?? [];
  }

  /** The weighted sum of the losses; null when no output has one. */
  call(yTrue: TensorTree | null, yPred: TensorTree, sampleWeight: TensorTree | null = null): Tensor | null {
    if (yTrue === null) throw new TypeError("The loss needs targets: pass `y`.");
    const structure = isEnvelope(this.loss) ? null : this.loss;
    const targets =
      isNested(yPred) || isNested(yTrue) ? alignTargets(yTrue, yPred, structure, this.outputNames) : yTrue;
    this.#entries ??= this.#build(targets, yPred);
    // Several losses for a single output: only the first counts, as in Python Keras.
    const counted = isNested(yPred) ? this.#entries : this.#entries.slice(0, 1);
    let total: Tensor | null = null;
    counted.forEach(({ path, loss, weight }, i) => {
      const predictions = at(yPred, path);
      const weights = isNested(sampleWeight) ? at(sampleWeight, path) : sampleWeight;
      const value = cast(loss(at(targets, path) as Tensor, predictions as Tensor, weights as Tensor | null), floatx());
      if (isNested(yPred)) this.metrics[i]?.updateState(value, (flatten(predictions as never)[0] as Tensor).shape[0]!);
      const part = weight === null ? value : multiply(value, weight);
      total = total === null ? part : add(total, part);
    });
    return total;
  }
  #build(yTrue: unknown, yPred: unknown): LossEntry[] {
    const entries = buildLossEntries(this.loss, this.lossWeights, this.outputNames, yTrue, yPred);
    if (entries.length > 1) for (const { name } of entries) this.metrics.push(new Mean({ name: `${name}_loss` }));
    return entries;
  }
}

const at = (tree: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((part, key) => (part as Record<string | number, unknown>)[key], tree);
