import { isPlainObject } from "../config/envelope.js";

type Config = Record<string, unknown>;

/** Arguments that earlier versions of Keras saved under other names, by class. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  InputLayer: { batch_input_shape: "batch_shape", input_shape: "shape" },
};

/** A config in which everything has the names of today. The given one is left alone. */
export const upgradeConfig = (config: Config): Config => upgrade(config) as Config;

function upgrade(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(upgrade);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, upgrade(item)]);
  const upgraded = Object.fromEntries(entries);
  const names = renamed[String(upgraded["class_name"])];
  const inner = upgraded["config"];
  if (names && isPlainObject(inner))
    upgraded["config"] = Object.fromEntries(Object.entries(inner).map(([key, item]) => [names[key] ?? key, item]));
  return upgraded;
}

/**
 * Throws when the config holds a Python lambda. Its compiled code cannot run here, whatever `safeMode` says, and must not run unasked
 * anywhere.
 */
export function refusePythonCode(config: unknown, safeMode: boolean): void {
  const layer = findLambda(config, null);
  if (layer === undefined) return;
  const where = layer === null ? "It" : `The layer "${layer}"`;
  const why = safeMode
    ? "which safe mode refuses to run"
    : "and Python's bytecode cannot run in JavaScript, so that turning safe mode off does not help";
  throw new TypeError(
    `${where} contains a Python lambda: code inside the file, ${why}. In Python, put a named function in its place, register it with ` +
      "`keras.saving.register_keras_serializable`, and save the model again; here, register a function of the same name with " +
      "`registerKerasSerializable`, or pass it as `customObjects`.",
  );
}

/** Name of the innermost layer around a lambda, null when there is none; undefined without any lambda. */
function findLambda(value: unknown, layer: string | null): string | null | undefined {
  if (Array.isArray(value)) return firstFound(value, layer);
  if (!isPlainObject(value)) return undefined;
  if (value["class_name"] === "__lambda__") return layer;
  const inner = value["config"];
  const name = isPlainObject(inner) && typeof inner["name"] === "string" ? inner["name"] : layer;
  return firstFound(Object.values(value), name);
}

function firstFound(values: readonly unknown[], layer: string | null): string | null | undefined {
  for (const value of values) {
    const found = findLambda(value, layer);
    if (found !== undefined) return found;
  }
  return undefined;
}
