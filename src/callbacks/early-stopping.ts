import type { NDArray } from "../core/ndarray.js";
import { checkOptions } from "../trainers/check-options.js";
import { printMsg } from "../utils/io-utils.js";
import { warn } from "../utils/print-warning.js";
import type { Logs } from "./callback.js";
import { MonitorCallback, type MonitorMode, namesOf } from "./monitor-callback.js";

export interface EarlyStoppingOptions {
  /** The value to watch. */
  readonly monitor?: string;
  /** Smaller changes are no improvement. */
  readonly minDelta?: number;
  /** Epochs without improvement after which training stops. */
  readonly patience?: number;
  readonly verbose?: number;
  readonly mode?: MonitorMode;
  /** A value to reach; epochs that do not reach it count as without improvement. */
  readonly baseline?: number | null;
  /** Whether the weights of the best epoch are put back at the end. */
  readonly restoreBestWeights?: boolean;
  /** The first epoch that counts, from 0. */
  readonly startFromEpoch?: number;
}
const known = [
  "monitor",
  "minDelta",
  "patience",
  "verbose",
  "mode",
  "baseline",
  "restoreBestWeights",
  "startFromEpoch",
];

/** Stops training when a monitored value no longer improves. */
export class EarlyStopping extends MonitorCallback {
  readonly patience: number;
  readonly verbose: number;
  readonly baseline: number | null;
  readonly restoreBestWeights: boolean;
  readonly startFromEpoch: number;
  /** Epochs since the last improvement. */
  wait = 0;
  /** The epoch that training stopped after; 0 when it did not. */
  stoppedEpoch = 0;
  bestEpoch = 0;
  #bestWeights: NDArray[] | null = null;

  constructor(options: EarlyStoppingOptions = {}) {
    checkOptions("EarlyStopping", options, known);
    super(options);
    this.patience = options.patience ?? 0;
    this.verbose = options.verbose ?? 0;
    this.baseline = options.baseline ?? null;
    this.restoreBestWeights = options.restoreBestWeights ?? false;
    this.startFromEpoch = options.startFromEpoch ?? 0;
  }

  override onTrainBegin(): void {
    this.wait = this.stoppedEpoch = this.bestEpoch = 0;
    this.best = this.#bestWeights = null;
  }
  override async onEpochEnd(epoch: number, logs: Logs = {}): Promise<void> {
    this.resolveMode();
    const current = this.monitored(logs);
    if (current === null)
      warn(`EarlyStopping watches "${this.monitor}", which is not available. Available: ${namesOf(logs)}.`);
    if (current === null || epoch < this.startFromEpoch) return;
    if (this.restoreBestWeights && this.#bestWeights === null) await this.#keepWeights(epoch);
    this.wait++;
    if (this.isImprovement(current, this.best)) {
      this.best = current;
      this.bestEpoch = epoch;
      if (this.restoreBestWeights) await this.#keepWeights(epoch);
      if (this.baseline === null || this.isImprovement(current, this.baseline)) this.wait = 0;
      return;
    }
    if (this.wait >= this.patience && epoch > 0) {
      this.stoppedEpoch = epoch;
      this.model.stopTraining = true;
    }
  }
  override onTrainEnd(): void {
    if (this.stoppedEpoch > 0 && this.verbose > 0) printMsg(`Epoch ${this.stoppedEpoch + 1}: early stopping`);
    if (!this.restoreBestWeights || !this.#bestWeights) return;
    if (this.verbose > 0) printMsg(`Restoring model weights from the end of the best epoch: ${this.bestEpoch + 1}.`);
    this.model.setWeights(this.#bestWeights);
  }
  async #keepWeights(epoch: number): Promise<void> {
    this.bestEpoch = epoch;
    this.#bestWeights = await this.model.getWeights();
  }
}
