import { checkOptions } from "../trainers/check-options.js";
import { printMsg } from "../utils/io-utils.js";
import { pythonFloat } from "../utils/python-format.js";
import { showValue } from "../utils/show-value.js";
import { Callback, type Logs } from "./callback.js";
import { learningRateOf, optimizerOf } from "./learning-rate.js";

/** Sets the learning rate at the beginning of every epoch to what `schedule(epoch, rate)` returns. */
export class LearningRateScheduler extends Callback {
  readonly schedule: (epoch: number, learningRate: number) => number | Promise<number>;
  readonly verbose: number;

  constructor(
    schedule: (epoch: number, learningRate: number) => number | Promise<number>,
    options: { readonly verbose?: number } = {},
  ) {
    checkOptions("LearningRateScheduler", options, ["verbose"]);
    if (typeof schedule !== "function")
      throw new TypeError(
        `LearningRateScheduler needs a function of epoch and learning rate. Received: ${showValue(schedule)}.`,
      );
    super();
    this.schedule = schedule;
    this.verbose = options.verbose ?? 0;
  }
  override async onEpochBegin(epoch: number): Promise<void> {
    const optimizer = optimizerOf(this.model, "LearningRateScheduler");
    const rate = await this.schedule(epoch, await learningRateOf(optimizer));
    if (typeof rate !== "number")
      throw new TypeError(
        `The schedule of LearningRateScheduler must return a number. Received: ${showValue(rate as unknown)}.`,
      );
    optimizer.learningRate = rate;
    if (this.verbose > 0)
      printMsg(`\nEpoch ${epoch + 1}: LearningRateScheduler setting learning rate to ${pythonFloat(rate)}.`);
  }
  override async onEpochEnd(_epoch: number, logs: Logs = {}): Promise<void> {
    logs["learning_rate"] = await learningRateOf(optimizerOf(this.model, "LearningRateScheduler"));
  }
}
