import { showValue } from "../../utils/show-value.js";

/** Options of a PyDataset. JavaScript loads batches one after another, on one thread; the numbers are kept for compatibility. */
export interface PyDatasetOptions {
  readonly workers?: number;
  readonly useMultiprocessing?: boolean;
  readonly maxQueueSize?: number;
}

/**
 * Base of datasets that give batches by number: `getItem(i)` returns `[x, y]` or `[x, y, sampleWeight]`, or a promise of it.
 * `length` tells how many there are; without it, batches go on forever.
 *
 * @example
 * class Numbers extends PyDataset {
 *   override get length() { return 4; }
 *   override getItem(i: number) { return [[[i]], [[2 * i]]]; }
 * }
 */
export abstract class PyDataset {
  readonly workers: number;
  readonly useMultiprocessing: boolean;
  readonly maxQueueSize: number;

  constructor(options: PyDatasetOptions = {}) {
    const known = ["workers", "useMultiprocessing", "maxQueueSize"];
    const unknown = Object.keys(options).find((key) => !known.includes(key));
    if (unknown !== undefined)
      throw new TypeError(`\`PyDataset\` has no option ${showValue(unknown)}. Known options: ${known.join(", ")}.`);
    const { workers = 1, useMultiprocessing = false, maxQueueSize = 10 } = options;
    this.workers = workers;
    this.useMultiprocessing = useMultiprocessing;
    this.maxQueueSize = maxQueueSize;
  }

  /** The batch of that number. */
  abstract getItem(index: number): unknown;
  /** Batches in an epoch; null when they go on forever. */
  get length(): number | null {
    return null;
  }
  /** Batches in an epoch, as training sees it; null when they go on forever. */
  get numBatches(): number | null {
    return this.length;
  }
  /** Runs before the first batch of an epoch. */
  onEpochBegin(): void | Promise<void> {}
  /** Runs after the last batch of an epoch. */
  onEpochEnd(): void | Promise<void> {}
}
