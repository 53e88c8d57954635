import type { Field } from "../../config/field.js";
import { makeField, wrongValue } from "../../config/make-field.js";
import { readNumber } from "../../config/python-numbers.js";

/** Sizes before and after an axis. */
export type Border = readonly [before: number, after: number];
/** One size for all sides, one for each axis, or both sides of each axis. */
export type BorderInput = number | readonly (number | readonly number[])[];

/** A constructor argument with sizes before and after each of `rank` axes; saved as pairs. With one axis the pair is not nested. */
/* @__NO_SIDE_EFFECTS__ */
export function borders(rank: number, fallback: BorderInput): Field<BorderInput, readonly Border[], false> {
  const expected =
    rank === 1 ? "an integer >= 0 or a pair of such" : `an integer >= 0, or ${rank} integers or pairs of integers >= 0`;
  const read = (given: BorderInput, name: string): readonly Border[] => {
    const value = unwrapped(given) as BorderInput;
    if (isSize(value)) return Array.from({ length: rank }, (): Border => [value, value]);
    const sides = rank === 1 && Array.isArray(value) && value.length === 2 ? [value] : value;
    if (!Array.isArray(sides) || sides.length !== rank) throw wrongValue(name, expected, given);
    return sides.map((side: unknown): Border => {
      if (isSize(side)) return [side, side];
      if (Array.isArray(side) && side.length === 2 && side.every(isSize)) return [side[0] as number, side[1] as number];
      throw wrongValue(name, expected, given);
    });
  };
  return makeField<BorderInput, readonly Border[]>(fallback, {}, read, (value) =>
    rank === 1 ? [...value[0]!] : value.map((pair) => [...pair]),
  );
}
const unwrapped = (value: unknown): unknown => (Array.isArray(value) ? value.map(unwrapped) : readNumber(value));
const isSize = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;
