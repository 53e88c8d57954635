import type { Field, FieldOptions } from "./field.js";
import { type KindArguments, makeField, splitKindArguments, wrongValue } from "./make-field.js";
import { readNumber, writeFloat } from "./python-numbers.js";

/** Bounds of a number: `min` and `max` belong to the range, `above` and `below` do not. */
export interface Range {
  readonly min?: number;
  readonly max?: number;
  readonly above?: number;
  readonly below?: number;
}
/** Options of a number field. */
export interface NumberOptions extends FieldOptions, Range {}

/** A float; whole numbers are saved as `1.0`. */
export function float(options?: NumberOptions): Field<number, number, true>;
export function float(fallback: number, options?: NumberOptions): Field<number, number, false>;
/* @__NO_SIDE_EFFECTS__ */
export function float(...args: KindArguments<number, NumberOptions>): Field<number, number, never> {
  const { fallback, options } = splitKindArguments(args);
  return makeField(fallback, options, (value, name) => checkNumber(value, name, "a number", options), writeFloat);
}

/** A number that is saved as it is: whole numbers as `1`. For arguments whose default in Python is an int. */
export function number(options?: NumberOptions): Field<number, number, true>;
export function number(fallback: number, options?: NumberOptions): Field<number, number, false>;
/* @__NO_SIDE_EFFECTS__ */
export function number(...args: KindArguments<number, NumberOptions>): Field<number, number, never> {
  const { fallback, options } = splitKindArguments(args);
  return makeField(fallback, options, (value, name) => checkNumber(value, name, "a number", options), same);
}

/** An integer. */
export function int(options?: NumberOptions): Field<number, number, true>;
export function int(fallback: number, options?: NumberOptions): Field<number, number, false>;
/* @__NO_SIDE_EFFECTS__ */
export function int(...args: KindArguments<number, NumberOptions>): Field<number, number, never> {
  const { fallback, options } = splitKindArguments(args);
  return makeField(fallback, options, (value, name) => checkInt(value, name, options), same);
}

/** An integer above zero. */
export function positiveInt(options?: FieldOptions): Field<number, number, true>;
export function positiveInt(fallback: number, options?: FieldOptions): Field<number, number, false>;
/* @__NO_SIDE_EFFECTS__ */
export function positiveInt(...args: KindArguments<number>): Field<number, number, never> {
  const { fallback, options } = splitKindArguments(args);
  return makeField(fallback, options, (value, name) => checkInt(value, name, { above: 0 }), same);
}

/** An integer that is zero or more. */
export function nonNegativeInt(options?: FieldOptions): Field<number, number, true>;
export function nonNegativeInt(fallback: number, options?: FieldOptions): Field<number, number, false>;
/* @__NO_SIDE_EFFECTS__ */
export function nonNegativeInt(...args: KindArguments<number>): Field<number, number, never> {
  const { fallback, options } = splitKindArguments(args);
  return makeField(fallback, options, (value, name) => checkInt(value, name, { min: 0 }), same);
}

const same = (value: number): number => value;

/** Checks an integer against a range. */
export function checkInt(value: unknown, name: string, range: Range = {}): number {
  const number = readNumber(value);
  if (!Number.isInteger(number) || !inRange(number as number, range)) {
    throw wrongValue(name, expected("an integer", range), number);
  }
  return number as number;
}

function checkNumber(value: unknown, name: string, what: string, range: Range): number {
  const number = readNumber(value);
  if (typeof number !== "number" || !inRange(number, range)) throw wrongValue(name, expected(what, range), number);
  return number;
}

/** NaN is in no range, but in none is also in order. */
function inRange(value: number, { min, max, above, below }: Range): boolean {
  return (
    (min === undefined || value >= min) &&
    (max === undefined || value <= max) &&
    (above === undefined || value > above) &&
    (below === undefined || value < below)
  );
}

function expected(what: string, { min, max, above, below }: Range): string {
  if (what === "an integer" && (above === 0 || min === 1) && max === undefined && below === undefined) {
    return "a positive integer";
  }
  const bounds = [
    min !== undefined && `>= ${min}`,
    above !== undefined && `> ${above}`,
    max !== undefined && `<= ${max}`,
    below !== undefined && `< ${below}`,
  ].filter((bound) => bound !== false);
  return bounds.length === 0 ? what : `${what} ${bounds.join(" and ")}`;
}
