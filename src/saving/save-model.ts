import type { Model } from "../models/model.js";
import { Model as AnyModel } from "../models/model.js";
import { checkOptions } from "../trainers/check-options.js";
import { nodeFiles } from "../utils/files.js";
import { showValue } from "../utils/show-value.js";
import { concatenate, packModel, zipModel } from "./archive.js";

export interface SaveModelOptions {
  /** Whether to replace what is there; when false, asks at the terminal. By default true. */
  readonly overwrite?: boolean;
  /** Whether to write one archive, rather than a directory with the same files. By default true. */
  readonly zipped?: boolean;
}

/**
 * Saves architecture, weights, and optimizer and its state, so that Python Keras and `loadModel` read them.
 *
 * With a path, writes a `.keras` file, or a directory when `zipped` is false; what was there stays intact until everything is
 * written. Without one, returns the bytes of a `.keras` file.
 */
export function saveModel(model: Model): Promise<Uint8Array<ArrayBuffer>>;
export function saveModel(model: Model, path: string | URL, options?: SaveModelOptions): Promise<void>;
export async function saveModel(
  model: Model,
  path?: string | URL,
  options: SaveModelOptions = {},
): Promise<Uint8Array<ArrayBuffer> | void> {
  checkOptions("saveModel", options, ["overwrite", "zipped"]);
  if (!(model instanceof AnyModel)) throw new TypeError(`saveModel saves models. Received: ${showValue(model)}.`);
  const { overwrite = true, zipped = true } = options;
  if (path !== undefined) checkExtension(String(path), zipped);
  const packed = packModel(model);
  if (path === undefined) return concatenate(zipModel(await packed));

  // The model is read before the first wait; a failure there is reported below.
  packed.catch(() => undefined);
  const files = await nodeFiles(
    `Saving to "${String(path)}"`,
    "Call save() without a path, which returns the bytes, and store those.",
  );
  const place = files.pathOf(path);
  if (!overwrite && (await files.kindOf(place)) !== null && !(await files.askToOverwrite(place))) return;
  if (zipped) await files.writeAtomically(place, zipModel(await packed));
  else await files.writeDirectoryAtomically(place, await packed);
}

function checkExtension(path: string, zipped: boolean): void {
  if (/\.(h5|hdf5)$/i.test(path)) {
    throw new Error(
      `Whole models are not saved in the legacy HDF5 format. Use a path that ends in ".keras". Received: "${path}".`,
    );
  }
  if (zipped && !path.endsWith(".keras")) {
    throw new Error(
      `The path of a saved model must end in ".keras". Received: "${path}". For a directory pass { zipped: false }.`,
    );
  }
}
