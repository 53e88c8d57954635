import { isForeignArray } from "../../core/foreign.js";
import type { BatchIterator, DataAdapter } from "./adapter.js";
import { readBatch, type ReadOptions } from "./read-batch.js";

type AnyIterator = Iterator<unknown> | AsyncIterator<unknown>;
/** What yields batches: an iterable, or a function that makes one, for each epoch anew. */
export type BatchSource =
  Iterable<unknown> | AsyncIterable<unknown> | (() => Iterable<unknown> | AsyncIterable<unknown>);

/**
 * Batches of generators and other iterables, synchronous or not. A generator goes on where it stopped in the next epoch; an iterable
 * that can start anew, and a function that makes generators, give a pass for each epoch.
 */
export class IterableAdapter implements DataAdapter {
  readonly numBatches = null;
  readonly batchSize = null;
  readonly endsByItself: boolean;
  readonly #source: BatchSource;
  readonly #options: ReadOptions;
  #running: AnyIterator | null = null;

  constructor(source: BatchSource, options: ReadOptions = {}) {
    this.#source = source;
    this.#options = options;
    this.endsByItself = typeof source === "function" || iteratorOf(source) !== (source as unknown);
  }

  batches(): BatchIterator {
    if (this.endsByItself || this.#running === null)
      this.#running = iteratorOf(typeof this.#source === "function" ? this.#source() : this.#source);
    const iterator = this.#running;
    const read = ({ done, value }: IteratorResult<unknown>) => (done ? null : readBatch(value, this.#options));
    return {
      next: () => {
        const result = iterator.next();
        return result instanceof Promise ? result.then(read) : read(result as IteratorResult<unknown>);
      },
    };
  }
  onEpochBegin(): void {}
  onEpochEnd(): void {}
}

function iteratorOf(source: Iterable<unknown> | AsyncIterable<unknown>): AnyIterator {
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
}
/** Whether `value` yields batches. Arrays do not: they are data. */
export const isBatchSource = (value: unknown): value is BatchSource =>
  (typeof value === "function" && value instanceof Function) ||
  (typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !ArrayBuffer.isView(value) &&
    !(value instanceof Map) &&
    !isForeignArray(value) &&
    (Symbol.iterator in value || Symbol.asyncIterator in value));
