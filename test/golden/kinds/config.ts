import { deserializeKerasObject } from "../../../src/config/deserialize.js";
import { serializeKerasObject } from "../../../src/config/serialize.js";
import { PyFloat } from "../../../src/utils/py-float.js";
import { Mismatch } from "../compare.js";
import type { Kind } from "./kind.js";

type Json = unknown;
const isObject = (x: Json): x is Record<string, Json> =>
  typeof x === "object" && x !== null && !Array.isArray(x) && !(x instanceof PyFloat);

/** Where two JSON values first differ; null when they are equal. Ids of shared objects are addresses and do not count. */
export function difference(actual: Json, expected: Json, path = "config"): string | null {
  if (actual instanceof PyFloat) return difference(actual.value, expected, path);
  if (typeof actual === "bigint") return difference(Number(actual), expected, path);
  if (isObject(actual) && isObject(expected)) {
    const keys = (x: object): string[] => Object.keys(x).filter((key) => key !== "shared_object_id");
    const missing = keys(expected).filter((key) => !(key in actual));
    const extra = keys(actual).filter((key) => !(key in expected));
    if (missing.length > 0 || extra.length > 0) return `${path}: lacks [${missing}], has [${extra}] besides`;
    for (const key of keys(expected)) {
      const found = difference(actual[key], expected[key], `${path}.${key}`);
      if (found) return found;
    }
    return null;
  }
  if (Array.isArray(actual) && Array.isArray(expected)) {
    if (actual.length !== expected.length) return `${path}: ${actual.length} items, expected ${expected.length}`;
    for (const [i, item] of expected.entries()) {
      const found = difference(actual[i], item, `${path}[${i}]`);
      if (found) return found;
    }
    return null;
  }
  return Object.is(actual, expected) || actual === expected
    ? null
    : `${path}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`;
}

/** Reading a saved config and saving it again gives the same JSON. */
export const config: Kind = {
  async replay(golden) {
    const made = deserializeKerasObject(structuredClone(golden["config"]) as never, { safeMode: false });
    const found = difference(serializeKerasObject(made as never), golden["config"]);
    if (found) throw new Mismatch(found);
  },
};
