import { autoName } from "../utils/naming.js";
import type { Field, FieldOptions } from "./field.js";
import { type KindArguments, makeField, splitKindArguments, wrongValue } from "./make-field.js";

/** `true` or `false`. */
export function bool(options?: FieldOptions): Field<boolean, boolean, true>;
export function bool(fallback: boolean, options?: FieldOptions): Field<boolean, boolean, false>;
/* @__NO_SIDE_EFFECTS__ */
export function bool(...args: KindArguments<boolean>): Field<boolean, boolean, never> {
  const { fallback, options } = splitKindArguments(args);
  return makeField(fallback, options, checkBool, (value) => value);
}

/** Any text. */
export function string(options?: FieldOptions): Field<string, string, true>;
export function string(fallback: string, options?: FieldOptions): Field<string, string, false>;
/* @__NO_SIDE_EFFECTS__ */
export function string(...args: KindArguments<string>): Field<string, string, never> {
  const { fallback, options } = splitKindArguments(args);
  return makeField(fallback, options, checkString, (value) => value);
}

/** Options of `oneOf`. */
export interface ChoiceOptions extends FieldOptions {
  /** Whether capitals are taken for small letters, as Keras does with `padding`. */
  readonly lowercase?: boolean;
}

/** One of a few values, typed as their union: `oneOf(["valid", "same"], "valid")`. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const T extends string | number | boolean>(choices: readonly T[]): Field<T, T, true>;
export function oneOf<const T extends string | number | boolean>(
  choices: readonly T[],
  options: ChoiceOptions,
): Field<T, T, true>;
export function oneOf<const T extends string | number | boolean>(
  choices: readonly T[],
  fallback: NoInfer<T>,
  options?: ChoiceOptions,
): Field<T, T, false>;
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<T extends string | number | boolean>(
  choices: readonly T[],
  ...args: KindArguments<T, ChoiceOptions>
): Field<T, T, never> {
  const { fallback, options } = splitKindArguments(args);
  const read = (value: T, name: string): T => {
    const known = options.lowercase && typeof value === "string" ? value.toLowerCase() : value;
    const choice = choices.find((candidate) => candidate === known);
    if (choice === undefined)
      throw wrongValue(name, `one of ${choices.map((c) => JSON.stringify(c)).join(", ")}`, value);
    return choice;
  };
  return makeField(fallback, options, read, (value) => value);
}

/** Options of `autoNamed`. */
export interface NameOptions extends FieldOptions {
  /** Class name to derive the automatic name from, where Python's class is called differently. */
  readonly from?: string;
  /** Whether "/" may be part of the name, as in names of metrics. */
  readonly slashes?: boolean;
}

/** A name; derived from the class and made unique when absent or null. */
/* @__NO_SIDE_EFFECTS__ */
export function autoNamed(options: NameOptions = {}): Field<string | null, string, false> {
  const read = (value: string | null, name: string, className: string): string => {
    if (value === null) return autoName(options.from ?? className);
    if (typeof value !== "string" || (value.includes("/") && !options.slashes)) {
      throw wrongValue(name, options.slashes ? "a string" : 'a string without "/"', value);
    }
    return value;
  };
  return makeField<string | null, string>(null, options, read, (value) => value);
}

function checkBool(value: unknown, name: string): boolean {
  if (typeof value !== "boolean") throw wrongValue(name, "true or false", value);
  return value;
}

function checkString(value: unknown, name: string): string {
  if (typeof value !== "string") throw wrongValue(name, "a string", value);
  return value;
}
