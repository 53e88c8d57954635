import { isEnvelope } from "../../config/envelope.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import type { Metric } from "../../metrics/index.js";
import { flatten, isNested, mapStructure } from "../../tree/index.js";
import { showValue } from "../../utils/show-value.js";
import type { TensorTree } from "../types.js";
import { isDict, sameKeys } from "./align-targets.js";
import { type MetricIdentifier, resolveMetric } from "./identify.js";
import type { PerOutput } from "./loss-entries.js";

/** Metrics of one output. */
interface OutputMetrics {
  readonly output: string | null;
  readonly metrics: readonly Metric[];
}
type Given = PerOutput<MetricIdentifier>;

/** The metrics of a compiled model. Takes shape at the first targets and predictions, which tell what "accuracy" is. */
export class CompileMetrics {
  readonly name = "compile_metrics";
  #plain: readonly (OutputMetrics | null)[] | null = null;
  #weighted: readonly (OutputMetrics | null)[] = [];
  /** Order in which dicts of outputs are flattened. */
  #order: readonly string[] | null = null;

  constructor(
    private readonly given: Given,
    private readonly givenWeighted: Given,
    private readonly outputNames: readonly string[] | null,
  ) {
    for (const [value, name] of [
      [given, "metrics"],
      [givenWeighted, "weightedMetrics"],
    ] as const)
      if (value !== null && (!isNested(value) || isEnvelope(value)))
        throw new TypeError(
          `\`${name}\` must be an array, or an object by output names. Received: ${showValue(value)}. Write [${showValue(value)}].`,
        );
  }

  get built(): boolean {
    return this.#plain !== null;
  }
  /** All metrics, weighted ones last; none before the first update. */
  get metrics(): Metric[] {
    return [...(this.#plain ?? []), ...this.#weighted].flatMap((one) => one?.metrics ?? []);
  }
  get variables(): Variable[] {
    return this.metrics.flatMap((metric) => metric.variables);
  }
  updateState(yTrue: TensorTree | null, yPred: TensorTree, sampleWeight: TensorTree | null = null): void {
    if (yTrue === null) throw new TypeError("Metrics need targets: pass `y`.");
    if (!this.#plain) this.#build(yTrue, yPred);
    const targets = this.#flatten(yTrue);
    const predictions = this.#flatten(yPred);
    const weights = sampleWeight === null ? [] : this.#flatten(sampleWeight);
    const each = (sets: readonly (OutputMetrics | null)[], weighted: boolean): void =>
      sets.forEach((set, i) => {
        const [t, p] = [targets[i], predictions[i]];
        if (!set || !t || !p) return;
        const weight = weighted ? ((weights.length < targets.length ? weights[0] : weights[i]) ?? null) : null;
        for (const metric of set.metrics) metric.updateState(t, p, weight);
      });
    each(this.#plain!, false);
    each(this.#weighted, true);
  }
  resetState(): void {
    for (const metric of this.metrics) metric.resetState();
  }
  /** Results by name: with the output's name in front when there are several; repeated names get a number or "weighted_". */
  result(): Record<string, Tensor> {
    if (!this.#plain) throw new Error("The metrics have no result yet: they have seen no targets and predictions.");
    const results: Record<string, Tensor> = {};
    const counts = new Map<string, number>();
    const put = (name: string, metric: Metric): void => {
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      const value = metric.result();
      results[count === 0 ? name : `${name}_${count}`] = value as Tensor;
    };
    for (const set of this.#plain)
      for (const metric of set?.metrics ?? []) put(prefixed(set!.output, metric.name!), metric);
    for (const set of this.#weighted)
      for (const metric of set?.metrics ?? []) {
        const name = prefixed(set!.output, metric.name!);
        put(counts.has(name) ? prefixed(set!.output, `weighted_${metric.name}`) : name, metric);
      }
    return results;
  }

  #build(yTrue: TensorTree, yPred: TensorTree): void {
    const count = flatten(yPred as never).length;
    const isFlat = isNested(yPred) && Object.keys(yPred as object).length === count;
    let names = this.outputNames;
    if (isFlat && isDict(yPred) && !(names && sameKeys(yPred, names))) names = Object.keys(yPred).sort();
    this.#order = count > 1 && isFlat ? names : null;
    this.#weighted = this.#sets(this.givenWeighted, "weightedMetrics", { yTrue, yPred, count, isFlat, names });
    this.#plain = this.#sets(this.given, "metrics", { yTrue, yPred, count, isFlat, names });
  }
  #sets(
    given: Given,
    argument: string,
    shape: {
      yTrue: TensorTree;
      yPred: TensorTree;
      count: number;
      isFlat: boolean;
      names: readonly string[] | null;
    },
  ): (OutputMetrics | null)[] {
    const { yTrue, yPred, count, isFlat, names } = shape;
    const targets = this.#flatten(yTrue);
    const predictions = this.#flatten(yPred);
    const isEmpty = given === null || Object.keys(given as object).length === 0;
    if (isEmpty) return Array<null>(count).fill(null);
    const set = (one: unknown, i: number, output: string | null): OutputMetrics | null => {
      if (one === null || one === undefined) return null;
      const list = (Array.isArray(one) ? one : [one]) as MetricIdentifier[];
      const resolved = list.map((id) => {
        if (id === null)
          throw new TypeError(`\`${argument}\` must hold metrics. Received: null in an array of several.`);
        return resolveMetric(id, targets[i]!, predictions[i]!);
      });
      return { output, metrics: resolved };
    };
    if (count === 1) return [set(leavesOf(given), 0, null)];
    if (isFlat && Array.isArray(given) && given.length === count)
      return given.map((one, i) => set(one, i, names?.[i] ?? null));
    if (isFlat && names && isDict(given) && Object.keys(given).every((key) => names.includes(key))) {
      const dict = given;
      return names.map((name, i) => set(dict[name], i, name));
    }
    const outputs = mapStructure(() => "*", yPred as unknown);
    throw new TypeError(
      `\`${argument}\` must be an array with one entry for each of the ${count} outputs, or an object by output names` +
        `${names ? ` (${names.join(", ")})` : ""}. Outputs: ${JSON.stringify(outputs)}. Received: ${showValue(given)}.`,
    );
  }
  #flatten(tree: TensorTree): (Tensor | null)[] {
    if (this.#order && isDict(tree)) {
      const dict = tree as Record<string, Tensor | null>;
      return this.#order.map((name) => dict[name] ?? null);
    }
    return flatten(tree as never);
  }
}

const prefixed = (output: string | null, name: string): string => (output ? `${output}_${name}` : name);
/** The metrics of a single output, however they are nested. */
const leavesOf = (given: unknown): unknown[] => {
  if (isEnvelope(given) || !isNested(given)) return [given];
  const parts: unknown[] = Array.isArray(given) ? given : Object.values(given as object);
  return parts.flatMap(leavesOf);
};
