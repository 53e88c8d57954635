import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";

/** What keras.json says, as far as it says it. */
export interface KerasConfig {
  readonly path?: string;
  readonly backend?: string;
  readonly floatx?: string;
  readonly epsilon?: number;
  readonly imageDataFormat?: "channels_last" | "channels_first";
}

/** The file as this package writes it, entries and layout as Python Keras has them. */
const initial = `{
    "floatx": "float32",
    "epsilon": 1e-07,
    "backend": "numpy",
    "image_data_format": "channels_last"
}
`;

type Env = Readonly<Record<string, string | undefined>>;

/** Directory of Keras's files: `$KERAS_HOME`, else `.keras` in the user's home directory. */
export const kerasHome = (env: Env): string => env["KERAS_HOME"] || path.join(homedir(), ".keras");

/** Reads keras.json from Keras's directory, or creates it when absent and possible. A file that cannot be read, or is no JSON object, counts as empty. */
export async function readOrCreateKerasConfig(env: Env): Promise<KerasConfig> {
  const file = path.join(kerasHome(env), "keras.json");
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") await create(file);
    return { path: file };
  }
  return { path: file, ...parse(text) };
}

/** Puts the file in place in one step, never over one that another process has put there meanwhile. */
async function create(file: string): Promise<void> {
  // Not a UUID: importing keras-ts would then wait for node:crypto.
  const draft = `${file}.${process.pid}.${Date.now()}.${Math.random()}`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(draft, initial, { flag: "wx" });
    await link(draft, file);
  } catch {
    // Read-only homes, file systems without links and lost races leave things as they are: the file is a convenience.
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

function parse(text: string): KerasConfig {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return {};
  }
  if (typeof json !== "object" || json === null) return {};
  const { backend, floatx, epsilon, image_data_format: format } = json as Readonly<Record<string, unknown>>;
  return {
    ...(typeof backend === "string" && { backend }),
    ...(typeof floatx === "string" && { floatx }),
    ...(typeof epsilon === "number" && { epsilon }),
    ...((format === "channels_last" || format === "channels_first") && { imageDataFormat: format }),
  };
}
