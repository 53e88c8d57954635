import { deserializeKerasObject } from "../config/deserialize.js";
import { isPlainObject } from "../config/envelope.js";
import { currentCustomObjects, type CustomObjects, withCustomObjects } from "../config/registry.js";
import { inSafeMode } from "../config/safe-mode.js";
import { objectSharingScope } from "../config/sharing.js";
import { lazyVariables } from "../core/variable.js";
import { FormatError } from "../formats/format-error.js";
import { openHdf5 } from "../formats/hdf5/index.js";
import { parsePythonJson } from "../formats/python-json.js";
import { Model } from "../models/model.js";
import { checkOptions } from "../trainers/check-options.js";
import type { ByteSource } from "../utils/files.js";
import { kerasVersion } from "../utils/keras-version.js";
import { member } from "./archive.js";
import { makeBuiltinsKnown } from "./builtins.js";
import { type ModelFiles, openModel } from "./model-source.js";
import { refusePythonCode, upgradeConfig } from "./older-configs.js";
import { readState } from "./read-state.js";
import { H5WeightReader } from "./weight-reader.js";

export interface LoadModelOptions {
  /** Classes and functions by the names the file uses for them, in addition to the registered ones. */
  readonly customObjects?: CustomObjects | null;
  /** Whether to compile the model as it was when saved. By default true. */
  readonly compile?: boolean;
  /** Whether to refuse objects that could run code of the file. By default true. */
  readonly safeMode?: boolean;
}

/**
 * The model that `saveModel`, or Python Keras, saved: from a path (in Node), a URL, or bytes.
 *
 * Classes and functions of users must be registered or be passed as `customObjects`; nothing in a file is ever run as code.
 * @throws FormatError for damaged files, TypeError for a config that cannot be read, Error for weights that do not fit.
 */
export async function loadModel(source: ByteSource, options: LoadModelOptions = {}): Promise<Model> {
  checkOptions("loadModel", options, ["customObjects", "compile", "safeMode"]);
  const { compile = true, safeMode = true } = options;
  // Scopes end at the first wait: what they say is taken along.
  const customObjects = currentCustomObjects(options.customObjects);
  const safe = inSafeMode() ?? safeMode;
  makeBuiltinsKnown();

  const files = await openModel(source);
  const config = upgradeConfig(parseConfig(await files.read(member.config), files.source));
  if (!compile) delete config["compile_config"];
  const version = await versionOf(files);
  const model = explained(files.source, version, () => {
    refusePythonCode(config, safe);
    return withCustomObjects(customObjects, () =>
      objectSharingScope(() => lazyVariables.run(true, () => deserializeKerasObject(config, { safeMode: safe }))),
    );
  });
  if (!(model instanceof Model)) throw new FormatError(files.source, "describes something else than a model");
  await readState(model, { ...(await openState(files)), source: files.source });
  return model;
}

function parseConfig(bytes: Uint8Array, source: string): Record<string, unknown> {
  const text = new TextDecoder().decode(bytes);
  const config = parsePythonJson(text, { source: `${source}: ${member.config}`, floats: "wrap" });
  if (isPlainObject(config)) return config;
  throw new FormatError(`${source}: ${member.config}`, "does not describe an object");
}

/** The version of Keras that wrote the file; null when it does not say. Only messages need it. */
async function versionOf(files: ModelFiles): Promise<string | null> {
  if (!files.names.includes(member.metadata)) return null;
  try {
    const metadata = parsePythonJson(new TextDecoder().decode(await files.read(member.metadata)));
    const version = isPlainObject(metadata) ? metadata["keras_version"] : null;
    return typeof version === "string" ? version : null;
  } catch {
    return null;
  }
}

/** Adds to errors about a config where it is from, and whether a newer Keras than this wrote it. */
function explained<T>(source: string, version: string | null, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const from = version === null ? "" : ` (saved by Keras ${version})`;
    const hint =
      version !== null && isNewer(version)
        ? ` This package follows Keras ${kerasVersion}: what the file asks for may be newer.`
        : "";
    const Kind = error instanceof TypeError ? TypeError : Error;
    throw new Kind(`The model in "${source}"${from} could not be read. ${error.message}${hint}`, { cause: error });
  }
}

function isNewer(version: string): boolean {
  const parts = version.split(".").map((part) => parseInt(part, 10) || 0);
  const own = kerasVersion.split(".").map(Number);
  const at = own.findIndex((part, i) => part !== (parts[i] ?? 0));
  return at >= 0 && (parts[at] ?? 0) > own[at]!;
}

async function openState(files: ModelFiles): Promise<{ weights: H5WeightReader; assets: Map<string, Uint8Array> }> {
  const { names, source } = files;
  if (!names.includes(member.weights)) {
    throw new FormatError(
      source,
      names.includes(member.weightsNpz)
        ? `keeps its weights in ${member.weightsNpz} as pickled Python objects, which are never loaded. Save the model again in Python: its default format is ${member.weights}`
        : `has no ${member.weights}`,
    );
  }
  const root = openHdf5(await files.read(member.weights), { source: `${source}: ${member.weights}` });
  const assets = new Map<string, Uint8Array>();
  for (const name of names)
    if (name.startsWith(member.assets) && !name.endsWith("/"))
      assets.set(name.slice(member.assets.length), await files.read(name));
  return { weights: new H5WeightReader(root), assets };
}
