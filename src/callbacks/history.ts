import { TRAINER } from "../trainers/state.js";
import { Callback, type Logs } from "./callback.js";

/** Keeps the logs of every epoch: what `fit` returns. */
export class History extends Callback {
  /** The values of each epoch, by name. */
  readonly history: Record<string, (number | number[])[]> = {};
  /** The epochs that were run. */
  epoch: number[] = [];

  override onTrainBegin(): void {
    this.epoch = [];
  }
  override onEpochEnd(epoch: number, logs: Logs = {}): void {
    this.epoch.push(epoch);
    for (const [name, value] of Object.entries(logs)) (this.history[name] ??= []).push(value);
    this.model[TRAINER].history = this;
  }
}
