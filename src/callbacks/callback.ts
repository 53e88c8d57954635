import type { Trainer } from "../trainers/trainer.js";
import type { Logs } from "../trainers/types.js";

export type { Logs };
/** What hooks return: nothing, or a promise that training waits for. */
export type HookResult = void | Promise<void>;
/** What callbacks are told about the run. */
export interface CallbackParams {
  readonly verbose: number;
  readonly epochs: number;
  /** Batches of an epoch; null when they are not known. */
  readonly steps: number | null;
}

/**
 * Base of what follows training: hooks that `fit`, `evaluate` and `predict` call. A hook may return a promise, which is waited for;
 * setting `model.stopTraining` ends training after the hook.
 */
export class Callback {
  /** About the run; complete from `onTrainBegin` on. */
  params: CallbackParams = { verbose: 0, epochs: 1, steps: null };
  #model: Trainer | null = null;

  /** The model that is trained; throws before a run. */
  get model(): Trainer {
    if (!this.#model)
      throw new Error(`${this.constructor.name} has no model yet: pass the callback to fit, evaluate or predict.`);
    return this.#model;
  }
  setParams(params: CallbackParams): void {
    this.params = params;
  }
  setModel(model: Trainer): void {
    this.#model = model;
  }

  onTrainBegin(_logs?: Logs): HookResult {}
  onTrainEnd(_logs?: Logs): HookResult {}
  onTestBegin(_logs?: Logs): HookResult {}
  onTestEnd(_logs?: Logs): HookResult {}
  onPredictBegin(_logs?: Logs): HookResult {}
  onPredictEnd(_logs?: Logs): HookResult {}
  onEpochBegin(_epoch: number, _logs?: Logs): HookResult {}
  /** Logs are the metrics of the epoch, and those of validation with "val_" in front. */
  onEpochEnd(_epoch: number, _logs?: Logs): HookResult {}
  /** Another name of `onTrainBatchBegin`. */
  onBatchBegin(_batch: number, _logs?: Logs): HookResult {}
  /** Another name of `onTrainBatchEnd`. */
  onBatchEnd(_batch: number, _logs?: Logs): HookResult {}
  onTrainBatchBegin(batch: number, logs?: Logs): HookResult {
    return this.onBatchBegin(batch, logs);
  }
  /** Logs are averages since the epoch's start. */
  onTrainBatchEnd(batch: number, logs?: Logs): HookResult {
    return this.onBatchEnd(batch, logs);
  }
  onTestBatchBegin(_batch: number, _logs?: Logs): HookResult {}
  onTestBatchEnd(_batch: number, _logs?: Logs): HookResult {}
  onPredictBatchBegin(_batch: number, _logs?: Logs): HookResult {}
  onPredictBatchEnd(_batch: number, _logs?: Logs): HookResult {}

  /** Whether the callback lets the logs of this batch pass: reading them from the engine takes time. @internal */
  skipsBatch(_batch: number): boolean {
    return false;
  }
}

/** Names of all hooks. */
export const hookNames = [
  "onTrainBegin",
  "onTrainEnd",
  "onTestBegin",
  "onTestEnd",
  "onPredictBegin",
  "onPredictEnd",
  "onEpochBegin",
  "onEpochEnd",
  "onBatchBegin",
  "onBatchEnd",
  "onTrainBatchBegin",
  "onTrainBatchEnd",
  "onTestBatchBegin",
  "onTestBatchEnd",
  "onPredictBatchBegin",
  "onPredictBatchEnd",
] as const satisfies readonly (keyof Callback)[];
export type HookName = (typeof hookNames)[number];
