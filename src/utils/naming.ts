/**
 * The name Keras derives from a class name, for automatic names and string identifiers: "Conv2DTranspose" gives "conv2d_transpose",
 * "ReLU" gives "re_lu", "L1L2" gives "l1l2". Characters that are no part of a word are dropped.
 */
export function toSnakeCase(className: string): string {
  return className
    .replace(/[^\p{L}\p{N}_]+/gu, "")
    .replace(/(.)([A-Z][a-z]+)/g, "$1_$2")
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase();
}

/** Python's spelling of an option: `useBias` gives `use_bias`. Names with digits of their own (`beta_1`) do not come out of it. */
export function camelToSnake(name: string): string {
  return name.replace(/[A-Z]/g, (capital, position: number) => (position > 0 ? "_" : "") + capital.toLowerCase());
}

/** Our spelling of a Python argument: `use_bias` gives `useBias`, `beta_1` gives `beta1`. A leading underscore stays. */
export function snakeToCamel(name: string): string {
  return name.replace(/(?<=[^_])_([a-z0-9])/g, (_match, next: string) => next.toUpperCase());
}

/** How often each prefix was handed out: one table for layers, ops, variables, metrics, losses and symbolic tensors. */
const counts = new Map<string, number>();

/** Counts `prefix` and returns the new count, 1 at the first call. Later automatic names with this prefix change. */
export function getUid(prefix = ""): number {
  const count = (counts.get(prefix) ?? 0) + 1;
  counts.set(prefix, count);
  return count;
}

/** `name` at its first use, then `name_1`, `name_2`... Names given by users do not count. */
export function uniquify(name: string): string {
  const count = getUid(name);
  return count === 1 ? name : `${name}_${count - 1}`;
}

/** The next automatic name for an object of class `className`: "dense", then "dense_1"... */
export function autoName(className: string): string {
  return uniquify(toSnakeCase(className));
}

/** Starts all counters anew, as `clearSession` does. */
export function resetUids(): void {
  counts.clear();
}

/** The type of `toSnakeCase(className)`, so that string identifiers are checked and completed: `SnakeCase<"L1L2" | "ReLU">`. */
export type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? Snake<Rest, First, Lowercase<First>>
  : Name;

/** A capital starts a word after a small letter, and before one. */
type Snake<Rest extends string, Before extends string, Done extends string> = Rest extends `${infer Char}${infer After}`
  ? Snake<After, Char, `${Done}${StartsWord<Before, Char, After> extends true ? "_" : ""}${Lowercase<Char>}`>
  : Done;
type StartsWord<Before extends string, Char extends string, After extends string> =
  IsCapital<Char> extends true
    ? IsSmall<Before> extends true
      ? true
      : After extends `${infer Next}${string}`
        ? IsSmall<Next>
        : false
    : false;
type IsCapital<Char extends string> = Char extends Lowercase<Char> ? false : true;
type IsSmall<Char extends string> = Char extends Uppercase<Char> ? false : true;
