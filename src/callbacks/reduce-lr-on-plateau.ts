import { checkOptions } from "../trainers/check-options.js";
import { printMsg } from "../utils/io-utils.js";
import { warn } from "../utils/print-warning.js";
import { pythonFloat } from "../utils/python-format.js";
import type { Logs } from "./callback.js";
import { learningRateOf, optimizerOf } from "./learning-rate.js";
import { MonitorCallback, type MonitorMode, namesOf } from "./monitor-callback.js";

export interface ReduceLROnPlateauOptions {
  readonly monitor?: string;
  /** What the learning rate is multiplied by; below 1. */
  readonly factor?: number;
  /** Epochs without improvement after which it is reduced. */
  readonly patience?: number;
  readonly verbose?: number;
  readonly mode?: MonitorMode;
  readonly minDelta?: number;
  /** Epochs to wait after a reduction before counting again. */
  readonly cooldown?: number;
  /** The rate is not reduced below this. */
  readonly minLr?: number;
}
const known = ["monitor", "factor", "patience", "verbose", "mode", "minDelta", "cooldown", "minLr"];

/** Reduces the learning rate when a monitored value no longer improves. */
export class ReduceLROnPlateau extends MonitorCallback {
  readonly factor: number;
  readonly patience: number;
  readonly verbose: number;
  readonly cooldown: number;
  readonly minLr: number;
  wait = 0;
  #cooling = 0;

  constructor(options: ReduceLROnPlateauOptions = {}) {
    checkOptions("ReduceLROnPlateau", options, known);
    super({ minDelta: 1e-4, ...options });
    this.factor = options.factor ?? 0.1;
    if (!(this.factor < 1))
      throw new RangeError(`\`ReduceLROnPlateau.factor\` must be below 1. Received: ${this.factor}.`);
    this.patience = options.patience ?? 10;
    this.verbose = options.verbose ?? 0;
    this.cooldown = options.cooldown ?? 0;
    this.minLr = options.minLr ?? 0;
  }

  override onTrainBegin(): void {
    this.best = null;
    this.wait = this.#cooling = 0;
  }
  override async onEpochEnd(epoch: number, logs: Logs = {}): Promise<void> {
    this.resolveMode();
    const rate = await learningRateOf(optimizerOf(this.model, "ReduceLROnPlateau"));
    logs["learning_rate"] = rate;
    const current = this.monitored(logs);
    if (current === null)
      return warn(`ReduceLROnPlateau watches "${this.monitor}", which is not available. Available: ${namesOf(logs)}.`);
    if (this.#cooling > 0) {
      this.#cooling--;
      this.wait = 0;
    }
    if (this.isImprovement(current, this.best)) {
      this.best = current;
      this.wait = 0;
    } else if (this.#cooling === 0 && ++this.wait >= this.patience && rate > Math.fround(this.minLr)) {
      const reduced = Math.max(rate * this.factor, this.minLr);
      this.model.optimizer!.learningRate = reduced;
      if (this.verbose > 0)
        printMsg(`\nEpoch ${epoch + 1}: ReduceLROnPlateau reducing learning rate to ${pythonFloat(reduced)}.`);
      this.#cooling = this.cooldown;
      this.wait = 0;
    }
  }
}
