import type { KerasTensor } from "../core/keras-tensor.js";
import type { Tensor } from "../core/tensor.js";
import { InputLayer } from "../layers/core/input-layer.js";
import { showShape } from "../layers/base/shapes.js";
import { expandDims, squeeze } from "../ops/shape.js";
import { flatten, isNested } from "../tree/index.js";

/**
 * The inputs of a call in the order of the model's inputs: given alone, in an array, or by name. Throws when one is missing, or is null
 * and not optional.
 */
export function flatInputsOf(
  model: string,
  given: unknown,
  structure: unknown,
  inputs: readonly KerasTensor[],
): (Tensor | null)[] {
  const flat = ordered(given, structure, inputs) ?? flatten(given);
  if (flat.length !== inputs.length)
    throw new RangeError(
      `The model "${model}" has ${inputs.length} inputs (${inputs.map(({ name }) => name).join(", ")}). Received: ${flat.length}.`,
    );
  return flat.map((x, i) => {
    if ((x ?? null) !== null) return x as Tensor;
    const layer = inputs[i]!.history?.operation;
    if (layer instanceof InputLayer && !layer.optional)
      throw new TypeError(`The input "${inputs[i]!.name}" of the model "${model}" is not optional. Received: null.`);
    return null;
  });
}

/** Inputs given by the names of the model's inputs, where those are no dict themselves. */
function ordered(given: unknown, structure: unknown, inputs: readonly KerasTensor[]): unknown[] | null {
  const isDict = (value: unknown): boolean => isNested(value) && !Array.isArray(value);
  if (!isDict(given) || isDict(structure)) return null;
  const byName = given instanceof Map ? (given as Map<string, unknown>) : new Map(Object.entries(given as object));
  return inputs.every(({ name }) => byName.has(name)) ? inputs.map(({ name }) => byName.get(name)) : null;
}

/** `x` with a last axis of size 1 added or removed, where only that keeps it from the wanted rank; its mask stays. */
export function fitRank(x: Tensor, given: Tensor | null, wanted: KerasTensor, model: string): Tensor {
  const result = repaired(x, wanted, model);
  if (result !== given && given?.kerasMask) result.kerasMask = given.kerasMask;
  return result;
}
function repaired(x: Tensor, wanted: KerasTensor, model: string): Tensor {
  const surplus = x.ndim - wanted.ndim;
  if (surplus === 0) return x;
  if (surplus === 1 && x.shape.at(-1) === 1) return squeeze(x, { axis: -1 });
  if (surplus === -1 && wanted.shape.at(-1) === 1) return expandDims(x, -1);
  throw new RangeError(
    `The input "${wanted.name}" of the model "${model}" expects shape ${showShape(wanted.shape)}. Received: ${showShape(x.shape)}.`,
  );
}
