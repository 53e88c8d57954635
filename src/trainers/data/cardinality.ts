import type { NDArray } from "../../core/ndarray.js";
import { flatten } from "../../tree/index.js";
import type { HostBatch, HostTree } from "../types.js";

/** The arrays of a structure, without those left out. */
export const arraysOf = (tree: HostTree | null): NDArray[] =>
  tree === null ? [] : flatten<NDArray | null>(tree).filter((leaf): leaf is NDArray => leaf !== null);

/** The number of samples, which all arrays must agree on; throws a RangeError when they do not, or when there are none. */
export function countSamples(data: HostBatch): number {
  const parts = ["x", "y", "sampleWeight"] as const;
  const sizes = parts.map((_, i) => arraysOf(data[i]!).map(({ shape }) => shape[0]!));
  const counts = new Set(sizes.flat());
  if (counts.size > 1) {
    const list = parts.flatMap((name, i) => (sizes[i]!.length > 0 ? [`\`${name}\`: ${sizes[i]!.join(", ")}`] : []));
    throw new RangeError(
      `Data cardinality is ambiguous. All arrays must have the same number of samples. Received sizes: ${list.join("; ")}.`,
    );
  }
  const [count] = counts;
  if (count === undefined) throw new TypeError("There is no data: `x` holds no array.");
  if (count === 0) throw new RangeError("There is no data: the arrays have 0 samples. Pass at least one sample.");
  return count;
}
