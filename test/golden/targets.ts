import * as activations from "../../src/activations/index.js";
import * as constraints from "../../src/constraints/index.js";
import * as initializers from "../../src/initializers/index.js";
import * as losses from "../../src/losses/index.js";
import * as metrics from "../../src/metrics/index.js";
import * as ops from "../../src/ops/index.js";
import * as random from "../../src/random/index.js";
import * as regularizers from "../../src/regularizers/index.js";
import { snakeToCamel } from "../../src/utils/naming.js";

const spaces: Record<string, object> = { activations, constraints, initializers, losses, metrics, ops, random, regularizers };
export const registerSpace = (name: string, space: object): void => void (spaces[name] = space);

/** What the library exports for a canonical Python name; null when there is nothing. */
export function findTarget(name: string): ((...args: unknown[]) => unknown) | null {
  const path = name.split(".").slice(1);
  const last = path.pop()!;
  let space: unknown = path.length === 0 ? spaces["keras"] : spaces[path.join(".")] ?? path.reduce<unknown>((s, part) => (s as Record<string, unknown> | undefined)?.[part] ?? spaces[part], undefined);
  if (typeof space !== "object" || space === null) return null;
  space = space as Record<string, unknown>;
  const found = (space as Record<string, unknown>)[/^[A-Z]/.test(last) ? last : snakeToCamel(last)];
  return typeof found === "function" ? (found as (...args: unknown[]) => unknown) : null;
}
