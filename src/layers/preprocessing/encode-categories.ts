import { toTensor } from "../../core/convert.js";
import type { DType } from "../../core/dtype.js";
import type { Tensor } from "../../core/tensor.js";
import { multiply } from "../../ops/arithmetic.js";
import { oneHot } from "../../ops/crossentropy.js";
import { cast } from "../../ops/elementwise.js";
import { multiHot } from "../../ops/multi-hot.js";
import { sum } from "../../ops/reductions.js";
import { expandDims, squeeze } from "../../ops/shape.js";

/** How categories are written: as they are, one code for each, or one for a sample with 1 or the count at each category in it. */
export const encodings = ["int", "one_hot", "multi_hot", "count"] as const;
export type Encoding = (typeof encodings)[number];

/** Category indices below `depth` in an encoding; those outside leave no trace. */
export function encodeCategories(
  indices: Tensor,
  mode: Encoding,
  { depth, dtype, weights = null }: { depth: number; dtype: DType; weights?: Tensor | null },
): Tensor {
  if (mode === "int") return cast(indices, dtype);
  const sample = toTensor(indices.ndim === 0 ? expandDims(indices, -1) : indices, "int32");
  if (mode === "multi_hot") return multiHot(sample, depth, { dtype });
  if (mode === "one_hot") {
    const single = sample.ndim > 1 && sample.shape.at(-1) === 1;
    return oneHot(single ? squeeze(sample, { axis: -1 }) : sample, depth, { dtype });
  }
  const codes = oneHot(sample, depth, { dtype: weights?.dtype ?? dtype });
  return sum(weights ? multiply(codes, expandDims(weights, -1)) : codes, { axis: sample.ndim > 1 ? 1 : 0 });
}
