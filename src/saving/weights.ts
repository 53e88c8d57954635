import { openHdf5, writeHdf5 } from "../formats/hdf5/index.js";
import { openZip } from "../formats/zip/index.js";
import type { Model } from "../models/model.js";
import { checkOptions } from "../trainers/check-options.js";
import { type ByteSource, isRemote, nameOfSource, nodeFiles, readSource } from "../utils/files.js";
import { concatenate, member } from "./archive.js";
import { readState } from "./read-state.js";
import { H5WeightReader } from "./weight-reader.js";
import { writeState } from "./write-state.js";

export interface SaveWeightsOptions {
  /** Whether to replace what is there; when false, asks at the terminal. By default true. */
  readonly overwrite?: boolean;
  /** Layers to leave out, with all below them. */
  readonly objectsToSkip?: Iterable<object> | null;
}
export interface LoadWeightsOptions {
  /** Whether to warn of layers that do not fit, rather than throw. By default false. */
  readonly skipMismatch?: boolean;
  /** Layers to leave as they are, with all below them. */
  readonly objectsToSkip?: Iterable<object> | null;
}

/**
 * Saves the weights of a model, and its optimizer's state, to a path that ends in ".weights.h5"; without a path returns the bytes of
 * such a file. Throws when the model is not built.
 */
export function saveWeights(model: Model): Promise<Uint8Array<ArrayBuffer>>;
export function saveWeights(model: Model, path: string | URL, options?: SaveWeightsOptions): Promise<void>;
export async function saveWeights(
  model: Model,
  path?: string | URL,
  options: SaveWeightsOptions = {},
): Promise<Uint8Array<ArrayBuffer> | void> {
  checkOptions("saveWeights", options, ["overwrite", "objectsToSkip"]);
  assertBuilt(model, "saved");
  if (path !== undefined && !String(path).endsWith(".weights.h5"))
    throw new Error(`The path of saved weights must end in ".weights.h5". Received: "${String(path)}".`);
  const { overwrite = true, objectsToSkip } = options;
  const state = writeState(model, objectsToSkip ?? []);
  if (path === undefined) return concatenate(writeHdf5((await state).weights));

  state.catch(() => undefined);
  const files = await nodeFiles(
    `Saving to "${String(path)}"`,
    "Call saveWeights() without a path, which returns the bytes, and store those.",
  );
  const place = files.pathOf(path);
  if (!overwrite && (await files.kindOf(place)) !== null && !(await files.askToOverwrite(place))) return;
  await files.writeAtomically(place, writeHdf5((await state).weights));
}

/**
 * Loads weights into a model of the same architecture: from a ".weights.h5" or ".keras" file at a path or URL, or from its bytes.
 * @throws Error when the model is not built, or naming the layers whose weights do not fit.
 */
export async function loadWeights(model: Model, source: ByteSource, options: LoadWeightsOptions = {}): Promise<void> {
  checkOptions("loadWeights", options, ["skipMismatch", "objectsToSkip"]);
  assertBuilt(model, "loaded");
  const { skipMismatch = false, objectsToSkip } = options;
  const name = nameOfSource(source, "the given bytes");
  if ((typeof source === "string" || source instanceof URL) && !isRemote(source)) {
    const { kindOf, pathOf } = await nodeFiles(`Loading "${name}"`, "Pass a URL, a Blob or the bytes.");
    if ((await kindOf(pathOf(source))) === null)
      throw new Error(
        `There is no file "${pathOf(source)}". Expected weights saved as ".weights.h5" or a model saved as ".keras".`,
      );
  }
  const bytes = await readSource(source);
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const file = isZip ? await openZip(bytes, { source: name }).read(member.weights) : bytes;
  const root = openHdf5(file, { source: isZip ? `${name}: ${member.weights}` : name });
  if (root.attributes.has("layer_names") || root.has("model_weights"))
    throw new Error(
      `"${name}" is a file of the legacy .h5 format, which is not read. Load it in Python and save it with \`save_weights("x.weights.h5")\`.`,
    );
  await readState(model, {
    weights: new H5WeightReader(root),
    assets: null,
    source: name,
    skipMismatch,
    ...(objectsToSkip && { skip: objectsToSkip }),
  });
}

function assertBuilt(model: Model, what: "saved" | "loaded"): void {
  if (model.built) return;
  throw new Error(
    `The model "${model.name}" is not built yet, so it has no weights that could be ${what}. Call it on some data, or call build(), first.`,
  );
}
