import type { HostBatch } from "../types.js";
import type { DataAdapter } from "./adapter.js";
import { ArrayAdapter } from "./array-adapter.js";
import type { ClassWeight } from "./class-weight.js";
import { type BatchSource, isBatchSource, IterableAdapter } from "./iterable-adapter.js";
import { PyDataset } from "./py-dataset.js";
import { PyDatasetAdapter } from "./py-dataset-adapter.js";
import { readTriple } from "./read-batch.js";

/** Data as the loops get it, and how to make batches of it. */
export interface DataSpec {
  readonly x: unknown;
  readonly y?: unknown;
  readonly sampleWeight?: unknown;
  readonly classWeight?: ClassWeight | null;
  /** The model that gets the data. */
  readonly model?: object;
  readonly batchSize?: number | null;
  readonly steps?: number | null;
  readonly shuffle?: boolean | "batch";
}

/** Whether `x` brings its own batches, with targets and weights. */
export const bringsBatches = (x: unknown): boolean => x instanceof PyDataset || isBatchSource(x);

/** The adapter for `x`: arrays, a PyDataset, or anything that yields batches. */
export function chooseAdapter(spec: DataSpec): DataAdapter | Promise<DataAdapter> {
  const {
    x,
    y = null,
    sampleWeight = null,
    classWeight = null,
    batchSize = null,
    steps = null,
    shuffle = false,
  } = spec;
  const ends = endsOf(spec.model);
  if (!bringsBatches(x)) {
    if (x === null || x === undefined)
      throw new TypeError("`x` is missing. Pass arrays, a PyDataset, or a generator of batches.");
    const data = readTriple([x, y, sampleWeight], { classWeight, ends });
    const adapt = (arrays: HostBatch): DataAdapter => new ArrayAdapter(arrays, { batchSize, steps, shuffle });
    return data instanceof Promise ? data.then(adapt) : adapt(data);
  }
  const kind = x instanceof PyDataset ? "PyDataset" : "generator";
  if (y !== null) throw included("y", "targets", kind);
  if (sampleWeight !== null) throw included("sampleWeight", "sample weights", kind);
  if (x instanceof PyDataset) return new PyDatasetAdapter(x, shuffle !== false, { classWeight, ends });
  if (classWeight !== null)
    throw new TypeError("`classWeight` is not supported for generators: yield sample weights with the batches.");
  return new IterableAdapter(x as BatchSource, { ends });
}
const included = (name: string, what: string, kind: string): TypeError =>
  new TypeError(`When \`x\` is a ${kind}, \`${name}\` must be left out: ${what} come with its batches.`);

/** How many inputs and outputs a model has; one each where it is no graph. */
export function endsOf(model: object | undefined): { inputs: number; outputs: number } {
  const graph = model as { inputs?: readonly unknown[]; outputNames?: readonly string[] } | undefined;
  if (!graph?.outputNames) return { inputs: 1, outputs: 1 };
  return { inputs: graph.inputs?.length ?? 1, outputs: graph.outputNames.length };
}
