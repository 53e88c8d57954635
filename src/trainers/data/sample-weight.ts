import { NDArray } from "../../core/ndarray.js";
import { isNested, mapStructure } from "../../tree/index.js";
import type { HostTree } from "../types.js";
import { type ClassWeight, classWeightToSampleWeights } from "./class-weight.js";

/** Sample weights as steps take them, from those given or from weights of classes; one array for all outputs is repeated. */
export function resolveSampleWeight(
  y: HostTree | null,
  sampleWeight: HostTree | null,
  classWeight: ClassWeight | null,
): HostTree | null {
  if (classWeight !== null) {
    if (sampleWeight !== null) throw new TypeError("`classWeight` and `sampleWeight` cannot be given together.");
    if (!(y instanceof NDArray))
      throw new TypeError("`classWeight` needs targets `y`, and works only for models with a single output.");
    return classWeightToSampleWeights(y, classWeight);
  }
  if (sampleWeight === null || y === null || !isNested(y)) return sampleWeight;
  if (!(sampleWeight instanceof NDArray)) return sampleWeight;
  const { shape } = sampleWeight;
  if (shape.length > 2 || (shape.length === 2 && shape[1] !== 1))
    throw new RangeError(
      "One `sampleWeight` for several outputs must have one weight for each sample, shape [n] or [n, 1]. " +
        `Received: [${shape}]. Pass one array for each output instead.`,
    );
  return mapStructure(() => sampleWeight, y as unknown) as HostTree;
}
