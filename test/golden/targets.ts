import * as keras from "../../src/index.js";
import { makeBuiltinsKnown } from "../../src/saving/builtins.js";
import { snakeToCamel } from "../../src/utils/naming.js";

makeBuiltinsKnown();

/** What the library exports for a canonical Python name; null when there is nothing. */
export function findTarget(name: string): ((...args: unknown[]) => unknown) | null {
  let found: unknown = keras;
  for (const part of name.split(".").slice(1)) {
    if ((typeof found !== "object" && typeof found !== "function") || found === null) return null;
    found = (found as Record<string, unknown>)[/^[A-Z]/.test(part) ? part : snakeToCamel(part)];
  }
  return typeof found === "function" ? (found as (...args: unknown[]) => unknown) : null;
}
