import type { Field, FieldOptions } from "./field.js";
import { type KindArguments, makeField, splitKindArguments, wrongValue } from "./make-field.js";
import { checkInt } from "./number-fields.js";
import { readNumber } from "./python-numbers.js";

/** As many integers as `Rank` says. */
export type Ints<Rank extends number> = Rank extends 1
  ? readonly [number]
  : Rank extends 2
    ? readonly [number, number]
    : Rank extends 3
      ? readonly [number, number, number]
      : readonly number[];

/** Options of `ints`. */
export interface IntsOptions extends FieldOptions {
  /** Whether zeros are allowed. */
  readonly allowZero?: boolean;
}

/** `rank` positive integers, one standing for all: `kernelSize: 3` becomes `[3, 3]`. */
export function ints<Rank extends number>(
  rank: Rank,
  options?: IntsOptions,
): Field<number | readonly number[], Ints<Rank>, true>;
export function ints<Rank extends number>(
  rank: Rank,
  fallback: number | readonly number[],
  options?: IntsOptions,
): Field<number | readonly number[], Ints<Rank>, false>;
/* @__NO_SIDE_EFFECTS__ */
export function ints<Rank extends number>(
  rank: Rank,
  ...args: KindArguments<number | readonly number[], IntsOptions>
): Field<number | readonly number[], Ints<Rank>, never> {
  const { fallback, options } = splitKindArguments(args);
  const least = options.allowZero ? 0 : 1;
  const read = (value: number | readonly number[], name: string): Ints<Rank> => {
    const given = readNumber(value);
    const all: unknown = typeof given === "number" ? Array<number>(rank).fill(given) : given;
    if (!Array.isArray(all) || all.length !== rank || !all.every((item) => isInt(item, least))) {
      const kind = options.allowZero ? "integers >= 0" : "positive integers";
      throw wrongValue(name, rank === 1 ? `one of ${kind}` : `one or ${rank} ${kind}`, value);
    }
    return all.map(readNumber) as unknown as Ints<Rank>;
  };
  return makeField(fallback, options, read, (value) => [...(value as readonly number[])]);
}

/** Options of `intList` and `intOrInts`. */
export interface IntListOptions extends FieldOptions {
  /** The smallest integer allowed. */
  readonly min?: number;
}

/** Any number of integers. */
export function intList(options?: IntListOptions): Field<readonly number[], readonly number[], true>;
export function intList(
  fallback: readonly number[],
  options?: IntListOptions,
): Field<readonly number[], readonly number[], false>;
/* @__NO_SIDE_EFFECTS__ */
export function intList(
  ...args: KindArguments<readonly number[], IntListOptions>
): Field<readonly number[], readonly number[], never> {
  const { fallback, options } = splitKindArguments(args);
  const read = (value: readonly number[], name: string) => readIntList(value, name, options.min);
  return makeField(fallback, options, read, (value) => [...value]);
}

/** One integer or several; held and saved as given. */
export function intOrInts(
  options?: IntListOptions,
): Field<number | readonly number[], number | readonly number[], true>;
export function intOrInts(
  fallback: number | readonly number[],
  options?: IntListOptions,
): Field<number | readonly number[], number | readonly number[], false>;
/* @__NO_SIDE_EFFECTS__ */
export function intOrInts(
  ...args: KindArguments<number | readonly number[], IntListOptions>
): Field<number | readonly number[], number | readonly number[], never> {
  const { fallback, options } = splitKindArguments(args);
  const read = (value: number | readonly number[], name: string) =>
    Array.isArray(value)
      ? readIntList(value, name, options.min)
      : checkInt(value, name, options.min === undefined ? {} : { min: options.min });
  return makeField(fallback, options, read, (value) => (typeof value === "number" ? value : [...value]));
}

/** An axis or several; negative ones count from the end. */
export { intOrInts as axis };

/** A shape; null is a dimension that is not known yet. */
export function shape(options?: FieldOptions): Field<readonly (number | null)[], readonly (number | null)[], true>;
export function shape(
  fallback: readonly (number | null)[],
  options?: FieldOptions,
): Field<readonly (number | null)[], readonly (number | null)[], false>;
/* @__NO_SIDE_EFFECTS__ */
export function shape(
  ...args: KindArguments<readonly (number | null)[]>
): Field<readonly (number | null)[], readonly (number | null)[], never> {
  const { fallback, options } = splitKindArguments(args);
  const read = (value: readonly (number | null)[], name: string): readonly (number | null)[] => {
    if (!Array.isArray(value) || !value.every((item) => item === null || isInt(item, 0))) {
      throw wrongValue(name, "a shape: an array of integers >= 0, with null for unknown dimensions", value);
    }
    return value.map((item) => readNumber(item) as number | null);
  };
  return makeField(fallback, options, read, (value) => [...value]);
}

function readIntList(value: readonly number[], name: string, min = -Infinity): readonly number[] {
  if (!Array.isArray(value) || !value.every((item) => isInt(item, min))) {
    throw wrongValue(name, `an array of integers${min > -Infinity ? ` >= ${min}` : ""}`, value);
  }
  return value.map((item) => readNumber(item) as number);
}

function isInt(value: unknown, min: number): boolean {
  const number = readNumber(value);
  return Number.isInteger(number) && (number as number) >= min;
}
