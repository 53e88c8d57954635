import { serializeKerasObject } from "../config/serialize.js";
import { objectSharingScope } from "../config/sharing.js";
import { writeHdf5 } from "../formats/hdf5/index.js";
import { stringifyPythonJson } from "../formats/python-json.js";
import { writeZip } from "../formats/zip/index.js";
import type { Model } from "../models/model.js";
import { kerasVersion } from "../utils/keras-version.js";
import { writeState } from "./write-state.js";

/** Names of the members of a saved model. */
export const member = {
  metadata: "metadata.json",
  config: "config.json",
  weights: "model.weights.h5",
  weightsNpz: "model.weights.npz",
  assets: "assets/",
} as const;

/** The files of a saved model in their order, as chunks. Config and weights are those of the moment of the call. */
export async function packModel(model: Model): Promise<Map<string, Uint8Array[]>> {
  const config = stringifyPythonJson(objectSharingScope(() => serializeKerasObject(model)));
  const metadata = stringifyPythonJson({ keras_version: kerasVersion, date_saved: stamp(new Date()) });
  const { weights, assets } = await writeState(model);
  const utf8 = new TextEncoder();
  return new Map([
    [member.metadata, [utf8.encode(metadata)]],
    [member.config, [utf8.encode(config)]],
    [member.weights, writeHdf5(weights)],
    ...Array.from(assets, ([path, bytes]): [string, Uint8Array[]] => [member.assets + path, [bytes]]),
  ]);
}

/** A `.keras` archive of the files of a model, as chunks. */
export const zipModel = (files: ReadonlyMap<string, Uint8Array[]>): Uint8Array[] =>
  writeZip(
    Array.from(files, ([name, data]) => ({ name, data })),
    { modified: new Date() },
  );

/** Chunks in one piece. */
export function concatenate(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Local time as Keras writes it: "2025-01-31@18:05:09". */
function stamp(date: Date): string {
  const two = (n: number): string => String(n).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}@${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
