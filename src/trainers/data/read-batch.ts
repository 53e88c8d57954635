import { NDArray } from "../../core/ndarray.js";
import type { HostBatch, HostTree } from "../types.js";
import { arraysOf, countSamples } from "./cardinality.js";
import type { ClassWeight } from "./class-weight.js";
import { readData } from "./host-data.js";
import { resolveSampleWeight } from "./sample-weight.js";
import { unpackXYSampleWeight } from "./unpack.js";

/** How to read data. */
export interface ReadOptions {
  readonly classWeight?: ClassWeight | null;
  /** Inputs and outputs of the model, where they are known. */
  readonly ends?: { readonly inputs: number; readonly outputs: number };
}

/** A batch as a dataset or generator gives it, as host arrays; a promise only when tensors are among them. */
export const readBatch = (batch: unknown, options: ReadOptions = {}): HostBatch | Promise<HostBatch> =>
  readTriple(unpackXYSampleWeight(batch), options);

/** Inputs, targets and weights as host arrays of rows that agree. */
export function readTriple(
  [x, y, sampleWeight]: readonly unknown[],
  { classWeight = null, ends = { inputs: 1, outputs: 1 } }: ReadOptions = {},
): HostBatch | Promise<HostBatch> {
  const read = [
    readData(x, "x", ends.inputs),
    readData(y, "y", ends.outputs),
    readData(sampleWeight, "sampleWeight", ends.outputs),
  ];
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
