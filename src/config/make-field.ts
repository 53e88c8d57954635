import { showValue } from "../utils/show-value.js";
import type { Field, FieldOptions, Json } from "./field.js";

/** Arguments of a kind of field whose values are never plain objects: `kind()` and `kind(options)` make a required one, `kind(fallback, options)` one that may be left out. */
export type KindArguments<In, O extends FieldOptions = FieldOptions> =
  readonly [options?: O | undefined] | readonly [fallback: In, options?: O | undefined];

/** Tells fallback and options apart. */
export function splitKindArguments<In, O extends FieldOptions>(
  args: KindArguments<In, O>,
): { fallback: In | undefined; options: O } {
  const [first, second] = args;
  const onlyOptions = typeof first === "object" && first !== null && !Array.isArray(first);
  return onlyOptions
    ? { fallback: undefined, options: first as O }
    : { fallback: first as In | undefined, options: second ?? ({} as O) };
}

/** A field from its parts; required when `fallback` is undefined. `Required` is never: it fits a required field and one that is not. */
export function makeField<In, Out>(
  fallback: In | undefined,
  { savedAs, saved, positional }: FieldOptions,
  read: (value: In, name: string, className: string) => Out,
  write: (value: Out) => Json,
): Field<In, Out, never> {
  const told = {
    ...(savedAs !== undefined && { savedAs }),
    ...(saved !== undefined && { saved }),
    ...(positional && { positional }),
  };
  return { fallback, ...told, read, write } as Field<In, Out, never>;
}

/** The error for a value a field does not take; says so when a required argument is missing. */
export function wrongValue(name: string, expected: string, value: unknown): TypeError {
  if (value === undefined) return new TypeError(`\`${name}\` is required: ${expected}.`);
  return new TypeError(`\`${name}\` must be ${expected}. Received: ${showValue(value)}.`);
}
