import {
  assertSamePaths,
  assertSameStructure,
  flatten,
  isNested,
  mapStructure,
  packSequenceAs,
} from "../../tree/index.js";

/** Whether `check` passes without an error. */
function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

/**
 * Targets in the structure of the predictions: a single target for a single output in a container, a dict by output names for an array of
 * outputs, other containers with the same paths, or as many targets as there are losses.
 * @throws TypeError when none of these fits.
 */
export function alignTargets(
  yTrue: unknown,
  yPred: unknown,
  loss: unknown,
  outputNames: readonly string[] | null,
): unknown {
  if (passes(() => assertSameStructure(yPred, yTrue))) return yTrue;
  let targets = yTrue;
  if (!isNested(targets) && flatten(yPred as never).length === 1) return packSequenceAs(yPred, [targets]);
  if (Array.isArray(yPred) && isDict(targets) && outputNames && sameKeys(targets, outputNames)) {
    const byName = targets;
    targets = outputNames.map((name) => byName[name]);
  }
  if (Array.isArray(targets) && targets.length === flatten(yPred as never).length && targets.every((t) => !isNested(t)))
    return packSequenceAs(yPred, targets);
  if (passes(() => assertSamePaths(targets, yPred))) return packSequenceAs(yPred, flatten(targets as never));
  const flatLosses = flatten(loss as never);
  const flatTargets = flatten(targets as never);
  if (flatTargets.length === flatLosses.filter((one) => one !== null).length) {
    let next = 0;
    return packSequenceAs(
      loss,
      flatLosses.map((one) => (one === null ? null : flatTargets[next++])),
    );
  }
  const show = (tree: unknown): string => JSON.stringify(mapStructure(() => "*", tree));
  throw new TypeError(
    `Targets and predictions have different structures. Targets: ${show(yTrue)}; predictions: ${show(yPred)}. ` +
      "Pass `y` in the structure of the model's outputs.",
  );
}

export const isDict = (value: unknown): value is Record<string, unknown> => isNested(value) && !Array.isArray(value);
export const sameKeys = (dict: object, names: readonly string[]): boolean => {
  const keys = Object.keys(dict);
  return keys.length === names.length && names.every((name) => Object.hasOwn(dict, name));
};
