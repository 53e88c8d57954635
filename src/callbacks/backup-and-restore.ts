import { checkOptions } from "../trainers/check-options.js";
import { TRAINER } from "../trainers/state.js";
import { buildOptimizer } from "../trainers/symbolic-build.js";
import { Callback, type HookResult } from "./callback.js";
import { CheckpointFrequency, type SaveFrequency } from "./checkpoint-frequency.js";
import { savable } from "./savable.js";
import { textFiles } from "./text-files.js";

export interface BackupAndRestoreOptions {
  /** After every epoch, or every so many batches. */
  readonly saveFreq?: SaveFrequency;
  /** Whether the backup before the latest is kept as well. */
  readonly doubleCheckpoint?: boolean;
  /** Whether the backup is removed when training ends well. */
  readonly deleteCheckpoint?: boolean;
}

/** Keeps a backup while training, and goes on from it when an earlier run was interrupted. Only in Node; the model must be built. */
export class BackupAndRestore extends Callback {
  readonly backupDir: string;
  readonly doubleCheckpoint: boolean;
  readonly deleteCheckpoint: boolean;
  readonly saveFreq: SaveFrequency;
  readonly #frequency: CheckpointFrequency;
  #epoch = 0;
  #batch = 0;

  constructor(backupDir: string | URL, options: BackupAndRestoreOptions = {}) {
    checkOptions("BackupAndRestore", options, ["saveFreq", "doubleCheckpoint", "deleteCheckpoint"]);
    super();
    if (!backupDir) throw new TypeError('`BackupAndRestore.backupDir` must be the path of a directory. Received: "".');
    this.backupDir = String(backupDir);
    this.saveFreq = options.saveFreq ?? "epoch";
    this.doubleCheckpoint = options.doubleCheckpoint ?? false;
    this.deleteCheckpoint = options.deleteCheckpoint ?? true;
    this.#frequency = new CheckpointFrequency(this.saveFreq, "BackupAndRestore");
  }

  override skipsBatch(): boolean {
    return this.saveFreq === "epoch";
  }
  override async onTrainBegin(): Promise<void> {
    const { model } = this;
    if (!model.built)
      throw new Error(
        `BackupAndRestore needs a model that is built before fit(). Call the model "${model.name}" on a batch, or build().`,
      );
    model[TRAINER].initialEpoch = null;
    try {
      await this.#restore();
    } catch (error) {
      if (!(await this.#returnToFormer())) throw error;
      await this.#restore();
    }
  }
  override onTrainBatchEnd(batch: number): HookResult {
    this.#batch = batch;
    if (this.#frequency.isDue(batch)) return this.#save();
  }
  override onEpochEnd(epoch: number): HookResult {
    this.#epoch = epoch + 1;
    this.#batch = 0;
    if (this.saveFreq === "epoch") return this.#save();
  }
  override async onTrainEnd(): Promise<void> {
    this.model[TRAINER].initialEpoch = null;
    if (!this.deleteCheckpoint) return;
    const { removeDirectory } = await textFiles("BackupAndRestore");
    await removeDirectory(this.backupDir);
  }

  async #paths() {
    const files = await textFiles("BackupAndRestore");
    const weights = files.join(this.backupDir, "latest.weights.h5");
    const metadata = files.join(this.backupDir, "training_metadata.json");
    return { files, weights, metadata };
  }
  async #restore(): Promise<void> {
    const { files, weights, metadata } = await this.#paths();
    if (await files.exists(weights)) {
      buildOptimizer(this.model);
      await savable(this.model, "BackupAndRestore").loadWeights(weights);
    }
    if (!(await files.exists(metadata))) return;
    const { epoch } = JSON.parse(await files.readText(metadata)) as { epoch?: unknown };
    if (typeof epoch === "number" && Number.isInteger(epoch)) this.model[TRAINER].initialEpoch = epoch;
  }
  /** Puts the former backup in place of a damaged one; false when there is none. */
  async #returnToFormer(): Promise<boolean> {
    const { files, weights, metadata } = await this.#paths();
    if (!(await files.exists(`${weights}.bkp`))) return false;
    for (const place of [weights, metadata])
      if (await files.exists(`${place}.bkp`)) await files.copy(`${place}.bkp`, place);
    return true;
  }
  async #save(): Promise<void> {
    const { files, weights, metadata } = await this.#paths();
    await files.makeDirectory(this.backupDir);
    if (this.doubleCheckpoint)
      for (const place of [weights, metadata]) if (await files.exists(place)) await files.copy(place, `${place}.bkp`);
    await savable(this.model, "BackupAndRestore").saveWeights(weights, { overwrite: true });
    await files.writeText(metadata, JSON.stringify({ epoch: this.#epoch, batch: this.#batch }));
  }
}
