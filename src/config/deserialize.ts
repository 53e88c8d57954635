import { PyFloat, withoutPyFloats } from "../utils/py-float.js";
import { showValue } from "../utils/show-value.js";
import { isClass, isPlainFunction } from "./callable.js";
import { isBuiltinClass } from "./class-names.js";
import { type PartialEnvelope, isPlainObject } from "./envelope.js";
import type { Config } from "./field.js";
import { findClass, findFunction } from "./find-saved.js";
import {
  type CustomObjects,
  type Registrable,
  currentCustomObjects,
  getRegisteredObject,
  withCustomObjects,
} from "./registry.js";
import { inSafeMode, withSafeMode } from "./safe-mode.js";
import { noteRead, sharedObject } from "./sharing.js";
import { codecFor } from "./value-codec.js";

/** How to read a saved object. */
export interface DeserializeOptions {
  /** Classes and functions by the names the config uses for them. */
  readonly customObjects?: CustomObjects | null;
  /** Whether to refuse what could run code. An enclosing `withSafeMode` decides first. */
  readonly safeMode?: boolean;
}

/** What a saved object may do once it exists. */
interface Restorable {
  built?: boolean;
  buildFromConfig?(config: Config): void;
  compileFromConfig?(config: Config): void;
}

/**
 * The value that `serializeKerasObject` saved. Only classes and functions of Keras, registered ones and `customObjects` are ever
 * called; anything else is a TypeError that names it.
 */
export function deserializeKerasObject(
  config: unknown,
  { customObjects = null, safeMode = true }: DeserializeOptions = {},
): unknown {
  return withSafeMode(inSafeMode() ?? safeMode, () =>
    withCustomObjects(currentCustomObjects(customObjects), () => read(config)),
  );
}

function read(config: unknown): unknown {
  if (config === null || config === undefined) return null;
  if (typeof config === "string") return getRegisteredObject(config) ?? config;
  if (["number", "boolean", "bigint"].includes(typeof config)) return config;
  if (config instanceof PyFloat) return config.value;
  if (Array.isArray(config)) return config.map(read);
  if (!isPlainObject(config)) throw new TypeError(`Cannot read a config from ${showValue(config)}.`);
  if (!Object.hasOwn(config, "class_name") || !Object.hasOwn(config, "config")) {
    return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, read(value)]));
  }
  const envelope = config as unknown as PartialEnvelope;
  if (typeof envelope.class_name !== "string") {
    throw new TypeError(`\`class_name\` must be a string. Received: ${showValue(envelope.class_name)}.`);
  }
  return /^__.*__$/.test(envelope.class_name) ? readSpecial(envelope) : readNamed(envelope);
}

function readSpecial({ class_name, config }: PartialEnvelope): unknown {
  if (class_name === "__lambda__") {
    const refusal = "The config holds a Python lambda: compiled Python code, which cannot run in JavaScript.";
    throw new TypeError(`${refusal} Save the model again with a registered, named function in its place.`);
  }
  const inner = (isPlainObject(config) ? withoutPyFloats(config) : {}) as Config;
  const codec = codecFor(class_name);
  if (codec) return codec.read(inner);
  switch (class_name) {
    case "__bytes__":
      return new TextEncoder().encode(String(inner["value"]));
    case "__slice__":
      return { start: read(inner["start"]), stop: read(inner["stop"]), step: read(inner["step"]) };
    case "__ellipsis__":
      return "...";
    default:
      throw new TypeError(`Cannot read a saved value of the kind ${showValue(class_name)}.`);
  }
}

function readNamed(envelope: PartialEnvelope): unknown {
  const { class_name: className, config = null } = envelope;
  if (className === "function") {
    if (typeof config !== "string") {
      throw new TypeError(`A saved function must be a name. Received: ${showValue(config)}.`);
    }
    return findFunction(config, envelope);
  }
  if (config !== null && !isPlainObject(config)) {
    throw new TypeError(`The config of \`${className}\` must be an object. Received: ${showValue(config)}.`);
  }
  return sharedObject(envelope.shared_object_id) ?? restoreObject(findClass(envelope), envelope);
}

/** An object of class `cls` from its envelope: created from the config, then built and compiled as the envelope says. */
export function restoreObject(cls: Registrable, envelope: PartialEnvelope): unknown {
  const { class_name: className, shared_object_id: id } = envelope;
  if (isPlainFunction(cls)) return cls;
  const fromConfig = (cls as { fromConfig?: unknown }).fromConfig;
  if (!isClass(cls) || typeof fromConfig !== "function") {
    throw new TypeError(`Cannot read \`${className}\`: its class has no static \`fromConfig\` method.`);
  }
  const instance = construct(cls as unknown as Restores, className, (envelope.config ?? {}) as Config);
  if (isFilled(envelope.build_config) && !instance.built) {
    instance.buildFromConfig?.(withoutPyFloats(envelope.build_config) as Config);
    instance.built = true;
  }
  if (isFilled(envelope.compile_config))
    instance.compileFromConfig?.(withoutPyFloats(envelope.compile_config) as Config);
  noteRead(id, instance);
  return instance;
}

interface Restores {
  fromConfig(config: Config): Restorable;
}

function construct(cls: Restores, className: string, config: Config): Restorable {
  try {
    // Graphs tell `1.0` from `1` in the arguments of ops; classes of users get plain numbers.
    return cls.fromConfig(isBuiltinClass(cls) ? config : (withoutPyFloats(config) as Config));
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const hint = isBuiltinClass(cls) ? "" : " Objects inside a config must be read by the class's own `fromConfig`.";
    throw new TypeError(`\`${className}\` could not be read from its config: ${cause.message}${hint}`, { cause });
  }
}

const isFilled = (config: unknown): config is Config => isPlainObject(config) && Object.keys(config).length > 0;
