import { camelToSnake, snakeToCamel } from "../utils/naming.js";
import { classNameOf, hasFieldsOnly } from "./class-names.js";
import type { Config, Field, Fields } from "./field.js";

/** Python's name of a field. */
export const savedName = (key: string, field: Field<unknown, unknown>): string => field.savedAs ?? camelToSnake(key);

/**
 * Constructor arguments from a saved config: the required and other positional ones in declared order, then one options object.
 *
 * A hand-written class has arguments beyond its fields. They follow the same rule, as far as its constructor shows: as many as it
 * still takes before the first default are positional, in the order of the config, the rest are options.
 */
export function argumentsFromConfig(
  cls: abstract new (...args: never[]) => unknown,
  fields: Fields,
  config: Config,
): unknown[] {
  const entries = Object.entries(fields);
  const keyOf = new Map(entries.map(([key, field]) => [savedName(key, field), key]));
  const given = new Map<string, unknown>();
  const extra: [string, unknown][] = [];
  for (const [name, value] of Object.entries(config)) {
    const key = keyOf.get(name);
    if (key !== undefined) given.set(key, value);
    else extra.push([name, value]);
  }
  if (extra.length > 0 && hasFieldsOnly(cls)) {
    const known = [...keyOf.keys()].join(", ") || "none";
    throw new TypeError(
      `\`${classNameOf(cls)}.fromConfig\` does not know the key "${extra[0]![0]}". Known keys: ${known}.`,
    );
  }
  const byPosition = entries
    .filter(([, field]) => field.fallback === undefined || field.positional)
    .map(([key]) => key);
  const positional = byPosition.map((key) => given.get(key));
  const own = extra.splice(0, Math.max(0, cls.length - byPosition.length));
  for (const key of byPosition) given.delete(key);
  const options = Object.fromEntries([
    ...given,
    ...extra.map(([name, value]) => [snakeToCamel(name), value]),
  ]) as object;
  return [...positional, ...own.map(([, value]) => value), options];
}
