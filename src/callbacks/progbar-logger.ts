import { printMsg } from "../utils/io-utils.js";
import { Progbar } from "../utils/progbar.js";
import { Callback, type CallbackParams, type Logs } from "./callback.js";

/** Prints progress and metrics: as a bar, or with verbose 2 as one line an epoch. */
export class ProgbarLogger extends Callback {
  #verbose = 1;
  #epochs = 1;
  #target: number | null = null;
  #seen = 0;
  #bar: Progbar | null = null;
  #inFit = false;

  override setParams(params: CallbackParams): void {
    super.setParams(params);
    this.#verbose = params.verbose;
    this.#epochs = params.epochs;
    this.#target = params.steps;
  }
  override skipsBatch(batch: number): boolean {
    this.#seen = batch + 1;
    return this.#verbose !== 1 || (this.#bar !== null && !this.#bar.isDue);
  }
  override onTrainBegin(): void {
    this.#inFit = true;
  }
  override onTestBegin(): void {
    if (!this.#inFit) this.#start();
  }
  override onPredictBegin(): void {
    this.#start();
  }
  override onEpochBegin(epoch: number): void {
    this.#start();
    if (this.#verbose > 0 && this.#epochs > 1) printMsg(`Epoch ${epoch + 1}/${this.#epochs}`);
  }
  override onTrainBatchEnd(batch: number, logs?: Logs): void {
    this.#update(batch, logs);
  }
  override onTestBatchEnd(batch: number, logs?: Logs): void {
    if (!this.#inFit) this.#update(batch, logs);
  }
  override onPredictBatchEnd(batch: number): void {
    this.#update(batch);
  }
  override onEpochEnd(_epoch: number, logs?: Logs): void {
    this.#finish(logs);
  }
  override onTestEnd(logs?: Logs): void {
    if (!this.#inFit) this.#finish(logs);
  }
  override onPredictEnd(): void {
    this.#finish();
  }
  override onTrainEnd(): void {
    this.#inFit = false;
  }

  #start(): void {
    this.#seen = 0;
    this.#bar = this.#makeBar();
  }
  #makeBar(): Progbar {
    return new Progbar(this.#target, { verbose: this.#verbose, statelessMetrics: [] });
  }
  #update(batch: number, logs: Logs = {}): void {
    this.#seen = batch + 1;
    this.#bar ??= this.#makeBar();
    if (this.#verbose === 1) this.#bar.update(this.#seen, Object.entries(logs), { finalize: false });
  }
  #finish(logs: Logs = {}): void {
    this.#bar ??= this.#makeBar();
    this.#target ??= this.#seen;
    this.#bar.target ??= this.#target;
    this.#bar.update(this.#target, Object.entries(logs), { finalize: true });
  }
}
