import { defaultRng } from "../../utils/random/generator.js";
import type { BatchIterator, DataAdapter } from "./adapter.js";
import type { PyDataset } from "./py-dataset.js";
import { readBatch, type ReadOptions } from "./read-batch.js";

/** Batches of a PyDataset, by number; in the order of `default_rng(epoch)` when they are shuffled. */
export class PyDatasetAdapter implements DataAdapter {
  readonly batchSize = null;
  readonly endsByItself = true;
  #epoch = 0;

  constructor(
    private readonly dataset: PyDataset,
    private readonly shuffle: boolean,
    private readonly options: ReadOptions = {},
  ) {}

  get numBatches(): number | null {
    return this.dataset.numBatches;
  }
  batches(): BatchIterator {
    let at = 0;
    let order: Int32Array | null = null;
    return {
      next: () => {
        const count = this.numBatches;
        if (count !== null && at >= count) return null;
        if (this.shuffle && count !== null) order ??= defaultRng(this.#epoch).permutation(count);
        const batch = this.dataset.getItem(order ? order[at]! : at);
        at++;
        return batch instanceof Promise
          ? batch.then((value: unknown) => readBatch(value, this.options))
          : readBatch(batch, this.options);
      },
    };
  }
  onEpochBegin(): void | Promise<void> {
    return this.dataset.onEpochBegin();
  }
  onEpochEnd(): void | Promise<void> {
    // Also runs once before training, which is no epoch of the dataset.
    return this.#epoch++ === 0 ? undefined : this.dataset.onEpochEnd();
  }
}
