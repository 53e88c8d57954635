import { checkOptions } from "../trainers/check-options.js";
import { textFiles } from "./text-files.js";
import { printMsg } from "../utils/io-utils.js";
import { warn } from "../utils/print-warning.js";
import { fixed } from "../utils/python-format.js";
import type { HookResult, Logs } from "./callback.js";
import { CheckpointFrequency, type SaveFrequency } from "./checkpoint-frequency.js";
import { formatPath } from "./file-format.js";
import { MonitorCallback, type MonitorMode } from "./monitor-callback.js";
import { savable } from "./savable.js";

export interface ModelCheckpointOptions {
  readonly monitor?: string;
  readonly verbose?: number;
  /** Whether only a model better than all before is saved. */
  readonly saveBestOnly?: boolean;
  /** Whether only weights are saved; the path then ends in ".weights.h5". */
  readonly saveWeightsOnly?: boolean;
  readonly mode?: MonitorMode;
  /** After every epoch, or every so many batches. */
  readonly saveFreq?: SaveFrequency;
  /** What the first saved model has to be better than. */
  readonly initialValueThreshold?: number | null;
}
const known = ["monitor", "verbose", "saveBestOnly", "saveWeightsOnly", "mode", "saveFreq", "initialValueThreshold"];

/** Saves the model, or its weights, while it is trained. The path may hold `{epoch:02d}` and names of the logs, as in `{val_loss:.2f}`. */
export class ModelCheckpoint extends MonitorCallback {
  readonly filepath: string;
  readonly verbose: number;
  readonly saveBestOnly: boolean;
  readonly saveWeightsOnly: boolean;
  readonly saveFreq: SaveFrequency;
  readonly #frequency: CheckpointFrequency;
  #epoch = 0;

  constructor(filepath: string | URL, options: ModelCheckpointOptions = {}) {
    checkOptions("ModelCheckpoint", options, known);
    super({ monitor: options.monitor, mode: options.mode, best: options.initialValueThreshold });
    this.filepath = String(filepath);
    this.verbose = options.verbose ?? 0;
    this.saveBestOnly = options.saveBestOnly ?? false;
    this.saveWeightsOnly = options.saveWeightsOnly ?? false;
    this.saveFreq = options.saveFreq ?? "epoch";
    this.#frequency = new CheckpointFrequency(this.saveFreq, "ModelCheckpoint");
    const endings = this.saveWeightsOnly ? [".weights.h5"] : [".keras", ".h5"];
    if (!endings.some((ending) => this.filepath.endsWith(ending)))
      throw new TypeError(
        `The path of ModelCheckpoint must end in ${endings[0]!}${this.saveWeightsOnly ? ", because saveWeightsOnly is set" : ""}. ` +
          `Received: "${this.filepath}".`,
      );
  }

  override skipsBatch(): boolean {
    return this.saveFreq === "epoch";
  }
  override onEpochBegin(epoch: number): void {
    this.#epoch = epoch;
  }
  override onTrainBatchEnd(batch: number, logs: Logs = {}): HookResult {
    if (this.#frequency.isDue(batch)) return this.#save(batch, logs);
  }
  override onEpochEnd(epoch: number, logs: Logs = {}): HookResult {
    this.#epoch = epoch;
    if (this.saveBestOnly) this.resolveMode();
    if (this.saveFreq === "epoch") return this.#save(null, logs);
  }

  async #save(batch: number | null, logs: Logs): Promise<void> {
    const numbers = { epoch: this.#epoch + 1, ...(batch === null ? {} : { batch: batch + 1 }) };
    const path = formatPath(this.filepath, { ...numbers, ...logs });
    if (!this.#isWanted(logs, path)) return;
    const { makeParentDirectory } = await textFiles("ModelCheckpoint");
    await makeParentDirectory(path);
    const model = savable(this.model, "ModelCheckpoint");
    if (this.saveWeightsOnly) await model.saveWeights(path, { overwrite: true });
    else await model.save(path, { overwrite: true });
    this.#say(`finished saving model to ${path}`);
  }
  #isWanted(logs: Logs, path: string): boolean {
    if (!this.saveBestOnly) {
      this.#say(`saving model to ${path}`);
      return true;
    }
    const current = this.monitored(logs);
    if (current === null) {
      warn(`ModelCheckpoint can save the best model only when "${this.monitor}" is available as a number.`);
      return true;
    }
    const best = this.best === null ? "None" : fixed(this.best, 5);
    if (!this.isImprovement(current, this.best)) {
      this.#say(`${this.monitor} did not improve from ${best}`);
      return false;
    }
    this.#say(`${this.monitor} improved from ${best} to ${fixed(current, 5)}, saving model to ${path}`);
    this.best = current;
    return true;
  }
  #say(message: string): void {
    if (this.verbose > 0) printMsg(`\nEpoch ${this.#epoch + 1}: ${message}`);
  }
}
