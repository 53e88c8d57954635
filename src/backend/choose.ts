import { setEpsilon, setFloatx, setImageDataFormat } from "../core/settings.js";
import { engines } from "./engines.js";
import type { KerasConfig } from "./keras-config.node.js";

/** A backend's name and where it was written. */
export interface Choice {
  readonly name: string;
  readonly from: string;
}

interface Host {
  readonly KERAS_BACKEND?: string;
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly versions?: { readonly node?: string };
  };
}

/** Engines of Python Keras, which shares keras.json with this package and writes its own there. */
const pythonEngines = ["tensorflow", "jax", "torch", "openvino"];
/** What Python Keras writes into the keras.json it creates: nobody's choice. */
const writtenUnasked = "tensorflow";

/**
 * The backend to use: `globalThis.KERAS_BACKEND`, else the environment variable of that name, else what keras.json says,
 * else numpy. In Node keras.json is created when absent, and its other entries become the settings.
 */
export async function chooseBackend(
  host: Host = globalThis as Host,
  readConfig: (env: Readonly<Record<string, string | undefined>>) => Promise<KerasConfig> = readKerasConfig,
): Promise<Choice> {
  const env = host.process?.env ?? {};
  const config = host.process?.versions?.node ? await readConfig(env) : {};
  applySettings(config);
  if (host.KERAS_BACKEND) return { name: host.KERAS_BACKEND, from: "globalThis.KERAS_BACKEND" };
  if (env["KERAS_BACKEND"]) return { name: env["KERAS_BACKEND"], from: "the environment variable KERAS_BACKEND" };
  const { backend } = config;
  // Only Python can use an engine that exists there alone: its user gets the built-in one here.
  if (backend && backend !== writtenUnasked && !(pythonEngines.includes(backend) && !Object.hasOwn(engines, backend))) {
    return { name: backend, from: config.path ?? "keras.json" };
  }
  return { name: "numpy", from: "the default" };
}

async function readKerasConfig(env: Readonly<Record<string, string | undefined>>): Promise<KerasConfig> {
  const { readOrCreateKerasConfig } = await import("./keras-config.node.js");
  return readOrCreateKerasConfig(env);
}

function applySettings({ floatx, epsilon, imageDataFormat }: KerasConfig): void {
  if (floatx !== undefined) setFloatx(floatx);
  if (epsilon !== undefined) setEpsilon(epsilon);
  if (imageDataFormat !== undefined) setImageDataFormat(imageDataFormat);
}
