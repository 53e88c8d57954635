import { derived, any, optional, type Field } from "../config/fields.js";
import { wrongValue } from "../config/make-field.js";
import type { Tensor } from "../core/tensor.js";
import { reshape } from "../ops/shape.js";

type Thresholds = number | readonly number[];

/** A constructor argument with one threshold or several, in [0, 1]; saved as it was given. */
/* @__NO_SIDE_EFFECTS__ */
export const thresholds = (): Field<Thresholds | null, Thresholds | null, false> =>
  optional(
    derived(any<Thresholds>(), (value, name) => {
      const all: readonly unknown[] = Array.isArray(value) ? value : [value];
      if (!all.every((t) => typeof t === "number" && t >= 0 && t <= 1))
        throw wrongValue(name, "a number in [0, 1] or an array of such", value);
      return value;
    }),
  );
/** The thresholds as an array. */
export const listOf = (given: Thresholds | null, fallback: number): readonly number[] =>
  given === null ? [fallback] : typeof given === "number" ? [given] : given;
/** A vector over thresholds; its only element when there is one. */
export const perThreshold = (x: Tensor): Tensor => (x.shape[0] === 1 ? reshape(x, []) : x);
