import type { Trainer } from "../trainers/trainer.js";

/** What models get from the saving part of the package. */
export interface Savable {
  save(path: string, options: { overwrite: boolean }): Promise<unknown>;
  saveWeights(path: string, options: { overwrite: boolean }): Promise<unknown>;
  loadWeights(path: string): Promise<unknown>;
}
/** A model as something that can be saved; throws when it cannot. */
export function savable(model: Trainer, callback: string): Savable {
  const candidate = model as unknown as Partial<Savable>;
  if (typeof candidate.save !== "function" || typeof candidate.saveWeights !== "function")
    throw new Error(
      `${callback} needs a model that can be saved. Import "keras-ts", or "keras-ts/saving" beside the parts you use.`,
    );
  return candidate as Savable;
}
