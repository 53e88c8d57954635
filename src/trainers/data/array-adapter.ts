import { flatten, packSequenceAs } from "../../tree/index.js";
import { defaultRng } from "../../utils/random/generator.js";
import type { NDArray } from "../../core/ndarray.js";
import type { HostBatch, HostTree } from "../types.js";
import type { BatchIterator, DataAdapter } from "./adapter.js";
import { countSamples } from "./cardinality.js";
import { RowSource } from "./row-source.js";

export interface ArrayAdapterOptions {
  /** Rows of a batch; from the number of steps when left out, else 32. */
  readonly batchSize?: number | null;
  readonly steps?: number | null;
  /** All rows anew in each epoch, or only those of each batch among themselves. */
  readonly shuffle?: boolean | "batch";
}

/** Batches of host arrays. The order of an epoch is that of NumPy's `default_rng(epoch)`, as in Python Keras. */
export class ArrayAdapter implements DataAdapter {
  readonly numBatches: number;
  readonly batchSize: number;
  readonly endsByItself = true;
  readonly #count: number;
  readonly #sources: readonly (RowSource | null)[];
  readonly #pack: (leaves: (NDArray | null)[]) => HostBatch;
  readonly #shuffle: boolean | "batch";
  #epoch = 0;

  /** All targets. */
  readonly y: HostTree | null;

  constructor(data: HostBatch, { batchSize = null, steps = null, shuffle = false }: ArrayAdapterOptions = {}) {
    this.#count = countSamples(data);
    this.y = data[1];
    this.batchSize = batchSize ?? (steps ? Math.ceil(this.#count / steps) : 32);
    this.numBatches = Math.ceil(this.#count / this.batchSize);
    this.#shuffle = shuffle;
    const leaves = flatten<NDArray | null>(data as never);
    this.#sources = leaves.map((array) => array && new RowSource(array));
    const flat = data.every((part) => part === null || !Array.isArray(part)) && leaves.length === data.length;
    const isTriple = flat && leaves.every((leaf, i) => leaf === data[i]);
    this.#pack = isTriple
      ? (batch) => batch as unknown as HostBatch
      : (batch) => packSequenceAs(data, batch) as unknown as HostBatch;
  }

  batches(): BatchIterator {
    let batch = 0;
    let order: Int32Array | null = null;
    return {
      next: () => {
        if (batch >= this.numBatches) return null;
        const start = batch++ * this.batchSize;
        const stop = Math.min(start + this.batchSize, this.#count);
        if (this.#shuffle === false)
          return this.#pack(this.#sources.map((source) => source && source.slice(start, stop)));
        if (this.#shuffle === true) {
          // Drawn at the first batch, when the epoch is known.
          order ??= defaultRng(this.#epoch).permutation(this.#count);
          const indices = order;
          return this.#pack(this.#sources.map((source) => source && source.gather(indices, start, stop)));
        }
        const indices = defaultRng(this.#epoch + batch - 1).permutation(stop - start);
        for (let i = 0; i < indices.length; i++) indices[i]! += start;
        return this.#pack(this.#sources.map((source) => source && source.gather(indices, 0, indices.length)));
      },
    };
  }
  onEpochBegin(): void {}
  onEpochEnd(): void {
    this.#epoch++;
  }
}
