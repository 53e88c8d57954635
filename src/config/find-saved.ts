import { showValue } from "../utils/show-value.js";
import type { PartialEnvelope } from "./envelope.js";
import { type Registrable, builtinByPath, currentCustomObjects, getRegisteredObject } from "./registry.js";

/** Where a function that is saved by name only may come from. */
const functionModules = [
  "activations",
  "losses",
  "metrics",
  "initializers",
  "regularizers",
  "constraints",
  "optimizers",
] as const;

const advice =
  "Register custom classes and functions with `registerKerasSerializable`, or pass them as `customObjects`; they must be imported before loading.";

/** The class an envelope names. Throws a TypeError when it is neither registered nor of Keras. */
export function findClass(envelope: PartialEnvelope): Registrable {
  const { class_name: name, module } = envelope;
  const registered = envelope.registered_name ?? (Object.hasOwn(envelope, "registered_name") ? null : name);
  const custom = registered === null ? null : getRegisteredObject(registered);
  if (custom) return custom;
  const found = builtinIn(module, name);
  if (!found) throw new TypeError(`There is no class \`${where(module, name)}\`. ${advice}`);
  assertNoForeignName(envelope, name);
  return found;
}

/** The function called `name`: a registered one, else one of Keras. Throws a TypeError when there is none. */
export function findFunction(name: string, envelope: PartialEnvelope): Registrable {
  const custom = getRegisteredObject(name);
  if (custom) return custom;
  const { module } = envelope;
  const paths = module === "builtins" ? functionModules.map((part) => `keras.${part}.${name}`) : [`${module}.${name}`];
  for (const path of paths) {
    const found = builtinByPath(path);
    if (!found) continue;
    assertNoForeignName(envelope, name);
    return found;
  }
  const unpackaged = module === "builtins" && !name.includes(">") ? registeredInAnyPackage(name) : undefined;
  if (unpackaged) return unpackaged;
  throw new TypeError(`There is no function \`${where(module === "builtins" ? null : module, name)}\`. ${advice}`);
}

/** `keras.layers` + `Dense`; internal modules such as `keras.src.layers.core.dense` count as the public one. */
function builtinIn(module: string | null | undefined, name: string): Registrable | undefined {
  if (typeof module !== "string") return undefined;
  const area = /^keras\.src\.(\w+)/.exec(module)?.[1];
  return (
    builtinByPath(`${module}.${name}`) ??
    (area === undefined ? undefined : (builtinByPath(`keras.${area}.${name}`) ?? builtinByPath(`keras.${name}`)))
  );
}

/** Files of Keras up to 3.6 name custom functions without their package. */
function registeredInAnyPackage(name: string): Registrable | undefined {
  for (const [registered, object] of currentCustomObjects()) if (registered.endsWith(`>${name}`)) return object;
  return undefined;
}

/** A registered name on something of Keras means that the file was made for another class. */
function assertNoForeignName(envelope: PartialEnvelope, name: string): void {
  const registered = envelope.registered_name;
  if (!registered || registered === name || registered === envelope.class_name) return;
  const given = showValue(registered);
  throw new TypeError(
    `The config gives \`${where(envelope.module, name)}\` of Keras the registered name ${given}. ${advice} Otherwise remove \`registered_name\`.`,
  );
}

const where = (module: string | null | undefined, name: string): string => (module ? `${module}.${name}` : name);
