import { showValue } from "../utils/show-value.js";

/** When to save: after every epoch, or every so many batches. */
export type SaveFrequency = "epoch" | number;

/** Counts batches over epochs, and says when to save. */
export class CheckpointFrequency {
  #since = 0;
  #last: number | null = null;

  constructor(
    readonly frequency: SaveFrequency,
    owner: string,
  ) {
    if (frequency !== "epoch" && !(Number.isInteger(frequency) && frequency > 0))
      throw new TypeError(
        `\`${owner}.saveFreq\` must be "epoch" or a positive integer. Received: ${showValue(frequency)}.`,
      );
  }
  /** Whether to save after this batch, by its number in the epoch. */
  isDue(batch: number): boolean {
    if (this.frequency === "epoch") return false;
    this.#since += this.#last === null || batch <= this.#last ? batch + 1 : batch - this.#last;
    this.#last = batch;
    if (this.#since < this.frequency) return false;
    this.#since = 0;
    return true;
  }
}
