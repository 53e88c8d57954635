import { isEnvelope } from "../../config/envelope.js";
import type { Tensor } from "../../core/tensor.js";
import type { Loss } from "../../losses/index.js";
import { flatten, isNested, packSequenceAs } from "../../tree/index.js";
import { isDict, sameKeys } from "./align-targets.js";
import { type LossIdentifier, resolveLoss, takesLabels } from "./identify.js";

/** Losses, or numbers, in the structure of a model's outputs; null where an output has none. */
export type PerOutput<T> = T | null | readonly PerOutput<T>[] | { readonly [name: string]: PerOutput<T> };

/** One loss of a model: for the output at `path`. */
export interface LossEntry {
  readonly path: readonly (string | number)[];
  readonly loss: Loss;
  readonly weight: number | null;
  readonly name: string;
  /** Classes that integer labels must name; null for other losses. */
  readonly classes: number | null;
}

/** A loss before it is looked up, with its weight. Hidden from tree functions, which stop at class instances. */
class Weighted {
  constructor(
    readonly loss: LossIdentifier,
    readonly weight: number | null,
  ) {}
}
/** Saved configs are plain objects, but no structure. */
class Config {
  constructor(readonly envelope: LossIdentifier) {}
}
const hideConfigs = (value: unknown): unknown => {
  if (isEnvelope(value)) return new Config(value);
  if (Array.isArray(value)) return value.map(hideConfigs);
  if (isDict(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hideConfigs(item)]));
  return value;
};

/** The losses of a model, from what `compile` got and the first targets and predictions, which have equal structures. */
export function buildLossEntries(
  given: PerOutput<LossIdentifier>,
  weights: PerOutput<number>,
  outputNames: readonly string[] | null,
  yTrue: unknown,
  yPred: unknown,
): LossEntry[] {
  let loss = hideConfigs(given);
  let lossWeights: unknown = weights;
  if (outputNames && isDict(loss) && !isDict(yPred)) {
    const dict = loss;
    if (!sameKeys(dict, outputNames))
      throw new RangeError(
        `The keys of \`loss\` must be the names of the outputs: ${outputNames.join(", ")}. Received: ${Object.keys(dict).join(", ")}.`,
      );
    loss = outputNames.map((name) => dict[name]);
    const byName = lossWeights;
    if (isDict(byName)) lossWeights = outputNames.map((name) => byName[name]);
  }
  let weighted = pairWithWeights(loss, lossWeights);
  const flat = flatten(yPred as never);
  if (!isNested(weighted)) weighted = packSequenceAs(yPred, Array<unknown>(flat.length).fill(weighted));
  const names: readonly (string | null)[] =
    outputNames?.length === flat.length ? outputNames : Array<null>(flat.length).fill(null);
  const entries: LossEntry[] = [];
  collect(entries, yTrue, yPred, weighted, packSequenceAs(yPred, names), []);
  return entries;
}

function pairWithWeights(loss: unknown, weights: unknown): unknown {
  const pair = (one: unknown, weight: number | null): Weighted | null =>
    one === null || one === undefined
      ? null
      : new Weighted(one instanceof Config ? one.envelope : (one as LossIdentifier), weight);
  const flatLosses = flatten(loss as never);
  const flatWeights =
    weights === null || weights === undefined ? null : (flatten(weights as never) as (number | null)[]);
  if (flatWeights && flatWeights.length !== flatLosses.length)
    throw new RangeError(
      `\`lossWeights\` must match the number of losses. Received ${flatLosses.length} losses and ${flatWeights.length} weights.`,
    );
  const pairs = flatLosses.map((one, i) => pair(one, flatWeights?.[i] ?? null));
  return isNested(loss) ? packSequenceAs(loss, pairs) : pairs[0]!;
}

function collect(
  entries: LossEntry[],
  yTrue: unknown,
  yPred: unknown,
  loss: unknown,
  names: unknown,
  path: readonly (string | number)[],
): void {
  if (loss === null) return;
  if (loss instanceof Weighted) {
    const predictions = flatten(yPred as never)[0] as Tensor;
    const resolved = resolveLoss(loss.loss, flatten(yTrue as never)[0] as Tensor, predictions);
    const classes = takesLabels(resolved) ? (predictions.shape.at(-1) ?? null) : null;
    entries.push({ path, loss: resolved, weight: loss.weight, name: entryName(path, names, resolved), classes });
    return;
  }
  const flat = flatten(yPred as never);
  if (Array.isArray(loss) && loss.every((one) => !isNested(one)) && loss.length === flat.length) {
    const packed = packSequenceAs(yPred, loss as unknown[]);
    if (!isNested(packed)) return collect(entries, yTrue, yPred, packed, names, path);
    loss = packed;
  } else if (Array.isArray(loss) && !Array.isArray(yPred)) {
    for (const one of loss) collect(entries, yTrue, yPred, one, names, path);
    return;
  }
  const steps: [string | number, unknown][] = Array.isArray(loss)
    ? loss.map((one, i) => [i, one] as [number, unknown])
    : Object.entries(loss as Record<string, unknown>);
  const at = (tree: unknown, key: string | number): unknown => (tree as Record<string | number, unknown>)[key];
  for (const [key, one] of steps) {
    if (one === null) continue;
    const where = [...path, key];
    for (const [tree, what] of [
      [yPred, "outputs"],
      [yTrue, "targets"],
    ] as const)
      if (!isNested(tree) || Array.isArray(tree) !== (typeof key === "number") || at(tree, key) === undefined)
        throw new RangeError(`\`loss\` has an entry at "${where.join("/")}", where the model's ${what} have none.`);
    collect(entries, at(yTrue, key), at(yPred, key), one, at(names, key), where);
  }
}

/** The keys on the way, with the output's name in place of a position at the end. */
function entryName(path: readonly (string | number)[], names: unknown, loss: Loss): string {
  const parts: (string | number)[] = [...path];
  if (!isNested(names)) {
    const own = (names as string | null) ?? loss.name ?? "loss";
    if (parts.length === 0) parts.push(own);
    else if (typeof parts.at(-1) === "number") parts[parts.length - 1] = own;
  }
  return parts.join("/") || flatten(names as never).join("_");
}
