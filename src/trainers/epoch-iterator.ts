import { maxStepsPerEpoch } from "../core/limits.js";
import { warn } from "../utils/print-warning.js";
import type { BatchIterator, DataAdapter } from "./data/adapter.js";
import type { HostBatch } from "./types.js";

type Next<T> = T | null | Promise<T | null>;

/**
 * Walks through data epoch by epoch: all of it, or `steps` batches at a time, going on where the former epoch stopped. Warns when the
 * data ends before the steps do.
 */
export class EpochIterator {
  #iterator: BatchIterator | null = null;
  /** A batch that was looked at before its epoch. */
  #ahead: HostBatch | null = null;
  /** Batches taken from the current pass over the data. */
  #seen = 0;
  #step = 0;
  /** Batches of the first pass, where the data could not tell. */
  #counted: number | null = null;

  constructor(
    readonly adapter: DataAdapter,
    private readonly steps: number | null = null,
  ) {}

  /** Steps of an epoch; null until it is known. */
  get numBatches(): number | null {
    return this.steps ?? this.adapter.numBatches ?? this.#counted;
  }
  /** Steps done in this epoch. */
  get step(): number {
    return this.#step;
  }

  /** The first batch; null when there is none. The first epoch gets it all the same. */
  peek(): Next<HostBatch> {
    const pass = this.adapter.batches();
    const batch = pass.next();
    if (this.adapter.endsByItself) return batch;
    this.#iterator = pass;
    if (!(batch instanceof Promise)) return (this.#ahead = batch);
    return batch.then((value) => (this.#ahead = value));
  }
  /** Starts an epoch. */
  begin(): void | Promise<void> {
    this.#step = 0;
    if (this.#iterator === null || (this.steps === null && this.#ahead === null)) {
      this.#iterator = this.adapter.batches();
      this.#seen = 0;
    }
    return this.adapter.onEpochBegin();
  }
  /** The batch of the next step; null when the epoch is over. */
  next(): Next<HostBatch> {
    if (this.#step >= Math.min(this.steps ?? Infinity, maxStepsPerEpoch() ?? Infinity)) return null;
    const { numBatches } = this.adapter;
    if (numBatches !== null && this.#seen >= numBatches) return this.#exhausted();
    const ahead = this.#ahead;
    this.#ahead = null;
    const batch = ahead ?? this.#iterator!.next();
    return batch instanceof Promise ? batch.then((value) => this.#count(value)) : this.#count(batch);
  }
  /** Ends an epoch, whether or not all its steps were done. */
  end(): void | Promise<void> {
    const { numBatches } = this.adapter;
    if (numBatches !== null && this.#seen >= numBatches) this.#iterator = null;
    return this.adapter.onEpochEnd();
  }

  #count(batch: HostBatch | null): HostBatch | null {
    if (batch === null) return this.#exhausted();
    this.#step++;
    this.#seen++;
    return batch;
  }
  #exhausted(): null {
    const tooEarly = this.steps !== null || (this.#step === 0 && !this.adapter.endsByItself);
    this.#counted ??= this.#seen || null;
    this.#iterator = null;
    if (tooEarly)
      warn(
        "Your input ran out of data; interrupting training. The dataset or generator must give at least " +
          "`stepsPerEpoch * epochs` batches.",
      );
    return null;
  }
}
