import { checkOptions } from "../trainers/check-options.js";
import { printMsg } from "../utils/io-utils.js";
import { pythonFloat } from "../utils/python-format.js";
import { Callback, type Logs } from "./callback.js";

/** Stops training when the loss is NaN or infinite. */
export class TerminateOnNaN extends Callback {
  readonly raiseError: boolean;

  constructor(options: { /** Throw instead of stopping. */ readonly raiseError?: boolean } = {}) {
    checkOptions("TerminateOnNaN", options, ["raiseError"]);
    super();
    this.raiseError = options.raiseError ?? false;
  }
  override onBatchEnd(batch: number, logs: Logs = {}): void {
    const { loss } = logs;
    if (typeof loss !== "number" || Number.isFinite(loss)) return;
    if (this.raiseError)
      throw new Error(`The loss is ${pythonFloat(loss)} at batch ${batch}. Training ends, because of TerminateOnNaN.`);
    printMsg(`Batch ${batch}: Invalid loss, terminating training`);
    this.model.stopTraining = true;
  }
}
