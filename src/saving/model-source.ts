import { FormatError } from "../formats/format-error.js";
import { openZip } from "../formats/zip/index.js";
import { type ByteSource, isRemote, nameOfSource, nodeFiles, readSource } from "../utils/files.js";
import { member } from "./archive.js";

/** The files of a saved model, read on demand. */
export interface ModelFiles {
  /** Name for messages. */
  readonly source: string;
  readonly names: readonly string[];
  read(name: string): Promise<Uint8Array>;
}

/**
 * Opens a saved model: a `.keras` archive from anywhere, or a directory of its files.
 * @throws Error when there is nothing, or something else, or only a part of it.
 */
export async function openModel(from: ByteSource): Promise<ModelFiles> {
  const source = nameOfSource(from, "the given bytes");
  if ((typeof from === "string" || from instanceof URL) && !isRemote(from)) {
    const files = await nodeFiles(`Loading "${source}"`, "Pass a URL, a Blob or the bytes.");
    const place = files.pathOf(from);
    const kind = await files.kindOf(place);
    if (kind === null) throw new Error(`There is no file "${place}". Expected a model saved as ".keras".`);
    if (kind === "directory") return openDirectory(place);
  }
  const bytes = await readSource(from);
  refuseOtherFormats(bytes, source);
  const zip = openZip(bytes, { source });
  if (!zip.has(member.config)) throw notAModel(source, zip.names);
  return { source, names: zip.names, read: (name) => zip.read(name) };
}

async function openDirectory(place: string): Promise<ModelFiles> {
  const files = await nodeFiles(`Loading "${place}"`, "Pass a URL, a Blob or the bytes.");
  const names = await files.listFiles(place);
  if (!names.includes(member.config)) {
    if (names.includes("saved_model.pb"))
      throw new Error(
        `"${place}" is a TensorFlow SavedModel, which cannot be loaded. Save the model as ".keras" in Python.`,
      );
    throw notAModel(place, names);
  }
  return { source: place, names, read: (name) => files.readBytes(`${place}/${name}`) };
}

const notAModel = (source: string, names: readonly string[]): Error =>
  new FormatError(
    source,
    `is no saved model: it has no ${member.config}. It holds: ${names.slice(0, 8).join(", ") || "nothing"}${names.length > 8 ? ", ..." : ""}`,
  );

function refuseOtherFormats(bytes: Uint8Array, source: string): void {
  const startsWith = (...start: readonly number[]): boolean => start.every((byte, i) => bytes[i] === byte);
  if (bytes.length === 0) throw new FormatError(source, 'is empty. Expected a model saved as ".keras"');
  if (startsWith(0x89, 0x48, 0x44, 0x46)) {
    throw new FormatError(
      source,
      "is an HDF5 file. Weights alone are loaded by `model.loadWeights`; a whole model in the legacy .h5 format has to be saved " +
        'again as ".keras" in Python: `keras.models.load_model("old.h5").save("new.keras")`',
    );
  }
  if (!startsWith(0x50, 0x4b)) {
    throw new FormatError(
      source,
      'is not a zip archive, which every ".keras" file is. It may be damaged, or of another kind',
    );
  }
}
