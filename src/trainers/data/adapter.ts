import type { HostBatch } from "../types.js";

/** Batches one after another; null when there are no more. A batch may be overwritten by the next one. */
export interface BatchIterator {
  next(): HostBatch | null | Promise<HostBatch | null>;
}

/** Where batches come from. */
export interface DataAdapter {
  /** Batches in one pass; null when that is not known. */
  readonly numBatches: number | null;
  /** Rows of a full batch; null when that is not known. */
  readonly batchSize: number | null;
  /** A pass over the data. */
  batches(): BatchIterator;
  /** Runs before the first step of an epoch. */
  onEpochBegin(): void | Promise<void>;
  /** Runs after the last step of an epoch, and once before the first epoch. */
  onEpochEnd(): void | Promise<void>;
  /** Whether the data itself ends an epoch, so that running dry needs no warning. */
  readonly endsByItself: boolean;
}
