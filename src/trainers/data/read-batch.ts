import { NDArray } from "../../core/ndarray.js";
import type { HostBatch, HostTree } from "../types.js";
import { arraysOf, countSamples } from "./cardinality.js";
import type { ClassWeight } from "./class-weight.js";
import { readData } from "./host-data.js";
import { resolveSampleWeight } from "./sample-weight.js";
import { unpackXYSampleWeight } from "./unpack.js";

/** A batch as a dataset or generator gives it, as host arrays; a promise only when tensors are among them. */
export function readBatch(batch: unknown, classWeight: ClassWeight | null = null): HostBatch | Promise<HostBatch> {
  return readTriple(unpackXYSampleWeight(batch), ["x", "y", "sampleWeight"], classWeight);
}

/** Inputs, targets and weights as host arrays of rows that agree. */
export function readTriple(
  parts: readonly unknown[],
  names: readonly string[],
  classWeight: ClassWeight | null = null,
): HostBatch | Promise<HostBatch> {
  const read = parts.map((part, i) => readData(part, names[i]!));
  const finish = ([x, y, w]: readonly (HostTree | null)[]): HostBatch => {
    const floats = mapFloats(w ?? null);
    const triple: HostBatch = [x ?? null, y ?? null, resolveSampleWeight(y ?? null, floats, classWeight)];
    countSamples(triple);
    return triple;
  };
  return read.some((part) => part instanceof Promise) ? Promise.all(read).then(finish) : finish(read as HostTree[]);
}

/** Weights written as whole numbers are floats all the same. */
function mapFloats(tree: HostTree | null): HostTree | null {
  if (tree === null || tree instanceof NDArray) return tree && tree.dtype !== "float64" ? tree.astype("float32") : tree;
  if (arraysOf(tree).length === 0) return null;
  if (Array.isArray(tree)) return tree.map((part) => mapFloats(part as HostTree));
  return Object.fromEntries(Object.entries(tree).map(([key, part]) => [key, mapFloats(part as HostTree)]));
}
