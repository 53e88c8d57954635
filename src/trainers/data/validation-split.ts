import { NDArray } from "../../core/ndarray.js";
import { mapStructure } from "../../tree/index.js";
import type { HostBatch, HostTree } from "../types.js";
import { countSamples } from "./cardinality.js";

/** Splits arrays before any shuffling: the last share `validationSplit` of the samples is for validation. */
export function splitForValidation(
  data: HostBatch,
  validationSplit: number,
): [train: HostBatch, validation: HostBatch] {
  const count = countSamples(data);
  const at = Math.floor(count * (1 - validationSplit));
  if (at === 0 || at === count)
    throw new RangeError(
      `\`validationSplit\` of ${validationSplit} leaves no samples for ${at === 0 ? "training" : "validation"}: there are only ${count}.`,
    );
  const part = (start: number, stop: number): HostBatch => {
    const cut = (tree: HostTree | null): HostTree | null =>
      tree === null
        ? null
        : (mapStructure((leaf: unknown) => rows(leaf as NDArray | null, start, stop), tree) as HostTree);
    return [cut(data[0]), cut(data[1]), cut(data[2])];
  };
  return [part(0, at), part(at, count)];
}

function rows(array: NDArray | null, start: number, stop: number): NDArray | null {
  if (array === null) return null;
  const whole = array.contiguous();
  const row = whole.size / whole.shape[0]!;
  return new NDArray(
    whole.data.subarray(start * row, stop * row),
    [stop - start, ...whole.shape.slice(1)],
    whole.dtype,
  );
}
