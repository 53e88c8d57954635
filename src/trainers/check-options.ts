import { snakeToCamel } from "../utils/naming.js";
import { showValue } from "../utils/show-value.js";

/** Throws a TypeError when `options` is no plain object, or holds a name that is not among `known`. */
export function checkOptions(owner: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new TypeError(`The options of \`${owner}\` must be an object. Received: ${showValue(options)}.`);
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue;
    const camel = snakeToCamel(key);
    const hint = known.includes(camel) ? `Did you mean \`${camel}\`? ` : "";
    throw new TypeError(`\`${owner}\` has no option \`${key}\`. ${hint}Known options: ${known.join(", ")}.`);
  }
}

/** `value` when it is a positive integer or absent; throws a TypeError for others. */
export function positiveIntOrNull(value: number | null | undefined, name: string): number | null {
  if (value === null || value === undefined) return null;
  if (!Number.isInteger(value) || value < 1)
    throw new TypeError(`\`${name}\` must be a positive integer. Received: ${showValue(value)}.`);
  return value;
}
