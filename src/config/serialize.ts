import { PyFloat } from "../utils/py-float.js";
import { showValue } from "../utils/show-value.js";
import { isPlainFunction } from "./callable.js";
import { isBuiltinClass } from "./class-names.js";
import { type Envelope, isPlainObject } from "./envelope.js";
import type { Config, Json } from "./field.js";
import { withPythonNumbers } from "./python-numbers.js";
import { type Registrable, getRegisteredName, pathOfBuiltin } from "./registry.js";
import { noteWritten } from "./sharing.js";
import { codecOf } from "./value-codec.js";

/** What an object needs in order to be saved; what of it exists is saved with it. */
export interface Serializable {
  getConfig(): Config;
  getBuildConfig?(): Config | null;
  getCompileConfig?(): Config | null;
}

/**
 * The JSON Python Keras saves for a value: objects become envelopes of their config, arrays and plain objects are mapped.
 * Floats that are whole numbers come as `PyFloat`. Throws a TypeError for what cannot be saved.
 */
export const serializeKerasObject = (value: unknown): Json => withPythonNumbers(() => serializeValue(value));

/** `serializeKerasObject` for parts of a config: floats are marked only on the way into a file. */
export function serializeValue(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (["string", "boolean", "number", "bigint"].includes(typeof value)) return value as Json;
  if (value instanceof PyFloat) return value;
  if (Array.isArray(value)) return value.map(serializeValue);
  if (value instanceof Map) return serializeDict(Object.fromEntries(value as Map<string, unknown>));
  if (isPlainObject(value)) return serializeDict(value);
  const codec = codecOf(value);
  if (codec) return { class_name: codec.className, config: serializeDict(codec.write(value)) };
  if (value instanceof Uint8Array) return { class_name: "__bytes__", config: { value: utf8(value) } };
  if (isPlainFunction(value)) return serializeFunction(value);
  if (isSerializable(value)) return serializeObject(value) as unknown as Json;
  throw new TypeError(`Cannot save ${showValue(value)}: objects need a \`getConfig\` method.`);
}

/** The saved form of `{ start, stop, step }`. */
export const serializeSlice = (slice: { start?: number | null; stop?: number | null; step?: number | null }): Json => ({
  class_name: "__slice__",
  config: { start: slice.start ?? null, stop: slice.stop ?? null, step: slice.step ?? null },
});
/** The saved form of "..." in an index. */
export const serializeEllipsis = (): Json => ({ class_name: "__ellipsis__", config: {} });

/** How saved files name a class: Keras's own by module, others by their registered name. */
function nameInFiles(cls: Registrable): Pick<Envelope, "module" | "class_name" | "registered_name"> {
  const own = (key: string) => (Object.hasOwn(cls, key) ? ((cls as unknown as Config)[key] as string) : null);
  const { className = cls.name, module } = cls as { className?: string; module?: string };
  if (isBuiltinClass(cls)) {
    return { module: module ?? null, class_name: className, registered_name: own("registeredName") };
  }
  const path = pathOfBuiltin(cls);
  if (path !== undefined) {
    const dot = path.lastIndexOf(".");
    return { module: path.slice(0, dot), class_name: path.slice(dot + 1), registered_name: own("registeredName") };
  }
  return { module: own("module"), class_name: className, registered_name: getRegisteredName(cls) };
}

/** The saved form of a function: its name alone tells which. Functions without one cannot be saved. */
function serializeFunction(fn: (...args: never[]) => unknown): Json {
  const name = pathOfBuiltin(fn)?.split(".").at(-1) ?? getRegisteredName(fn);
  if (!name) {
    throw new TypeError(
      "Cannot save a function without a name. Give it one and register it: `registerKerasSerializable()(fn)`.",
    );
  }
  return { module: "builtins", class_name: "function", config: name, registered_name: "function" };
}

function serializeObject(object: Serializable): Envelope {
  const config = object.getConfig();
  if (!isPlainObject(config)) {
    throw new TypeError(
      `\`getConfig\` of ${showValue(object)} must return a plain object. Received: ${showValue(config)}.`,
    );
  }
  const { module, class_name, registered_name } = nameInFiles(object.constructor as Registrable);
  const envelope: Envelope = { module, class_name, config: serializeDict(config), registered_name };
  const buildConfig = object.getBuildConfig?.() ?? null;
  if (buildConfig !== null) envelope.build_config = serializeDict(buildConfig);
  const compileConfig = object.getCompileConfig?.() ?? null;
  if (compileConfig !== null) envelope.compile_config = serializeDict(compileConfig);
  noteWritten(object, envelope);
  return envelope;
}

/** What is undefined counts as absent. */
function serializeDict(config: Config): { [key: string]: Json } {
  const entries = Object.entries(config).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, serializeValue(value)]));
}

const isSerializable = (value: unknown): value is Serializable =>
  typeof (value as Partial<Serializable>).getConfig === "function" && (value as object).constructor !== undefined;

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new TypeError(`Cannot save ${bytes.length} bytes that are not UTF-8 text.`, { cause });
  }
}
