import {
  type A,
  add,
  bitcast,
  cast,
  equal,
  floor,
  less,
  like,
  maximum,
  multiply,
  not,
  plus,
  rawCos,
  rawErf,
  rawExp,
  rawShiftRight,
  rawSin,
  reciprocal,
  rounded,
  scalar,
  scale,
  subtract,
  where,
} from "../ops.js";

/*
 * Functions of float32 arrays to a few units in the last place where jax-js's own lose digits, overflow early or give NaN
 * at the edges.
 */

/** c[0] + x (c[1] + x (c[2] + ...)). */
function polynomial(x: A, coefficients: readonly number[]): A {
  return coefficients
    .slice(0, -1)
    .reduceRight((sum, c) => plus(multiply(sum, x), c), like(x, coefficients[coefficients.length - 1]!));
}
export const abs = (x: A): A => maximum(x, scale(x, -1));
const squared = (x: A): A => multiply(x, x);

/** A quotient with the error of the reciprocal corrected once: n / n is 1, and multiples divide exactly. */
export function divide(x: A, y: A): A {
  const inverse = reciprocal(y);
  // Constants must not meet: q · y with q = x · (1 / y) would become x.
  const quotient = rounded(multiply(x, inverse));
  const corrected = add(quotient, multiply(subtract(x, rounded(multiply(quotient, y))), inverse));
  // Where the remainder is ∞ - ∞ or ∞ · 0 the first quotient stands.
  return where(less(abs(corrected), like(x, Infinity)), corrected, quotient);
}

/** The square of e^(x/2): jax-js's own function overflows before 88.4 and flushes results below 2^-126. */
export const exp = (x: A): A => squared(rawExp(scale(x, 0.5)));

const reciprocalFactorials = [1, 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720, 1 / 5040, 1 / 40320];
export function expm1(x: A): A {
  const small = multiply(x, polynomial(x, reciprocalFactorials));
  return where(less(abs(x), like(x, 0.5)), small, plus(exp(x), -1));
}

const atanhSeries = [2, 2 / 3, 2 / 5, 2 / 7, 2 / 9, 2 / 11];
/** log(m 2^e) = e log 2 + 2 atanh((m - 1) / (m + 1)) with m from √½ to √2. */
export function log(x: A): A {
  const tiny = less(x, like(x, 2 ** -126));
  const normal = where(tiny, scale(x, 2 ** 23), x);
  const bits = bitcast(normal, "int32");
  const biased = rawShiftRight(bits, scalar(23, "int32"));
  const mantissa = bitcast(
    add(subtract(bits, multiply(biased, scalar(2 ** 23, "int32"))), scalar(0x3f800000, "int32")),
    "float32",
  );
  const upper = less(like(x, Math.SQRT2), mantissa);
  const m = where(upper, scale(mantissa, 0.5), mantissa);
  const exponent = subtract(
    add(cast(biased, "float32"), cast(upper, "float32")),
    where(tiny, like(x, 127 + 23), like(x, 127)),
  );
  const t = multiply(plus(m, -1), reciprocal(plus(m, 1)));
  const series = multiply(t, polynomial(squared(t), atanhSeries));
  const value = add(series, scale(exponent, Math.LN2));
  const special = where(equal(x, like(x, 0)), like(x, -Infinity), where(less(x, like(x, 0)), like(x, NaN), x));
  const ordinary = less(abs(subtract(x, x)), like(x, 1));
  return where(ordinary, where(less(like(x, 0), x), value, special), special);
}

/** log(u) x / (u - 1) with u = 1 + x rounded: the errors of both factors cancel (Kahan). */
export function log1p(x: A): A {
  const u = rounded(plus(x, 1));
  const difference = plus(u, -1);
  const exact = equal(u, like(x, 1));
  const ratio = multiply(x, reciprocal(where(exact, like(x, 1), difference)));
  const value = where(exact, x, multiply(log(u), ratio));
  return where(equal(x, like(x, Infinity)), x, value);
}

export function tanh(x: A): A {
  const e = expm1(scale(abs(x), -2));
  const magnitude = multiply(scale(e, -1), reciprocal(plus(e, 2)));
  return where(less(x, like(x, 0)), scale(magnitude, -1), where(equal(x, like(x, 0)), x, magnitude));
}
export const sigmoid = (x: A): A => reciprocal(plus(exp(scale(x, -1)), 1));

const erfSeries = [1, -1 / 3, 1 / 10, -1 / 42, 1 / 216].map((c) => (2 / Math.sqrt(Math.PI)) * c);
export const erf = (x: A): A =>
  where(less(abs(x), like(x, 0.4)), multiply(x, polynomial(squared(x), erfSeries)), rawErf(x));

/** x less the nearest multiple of π/2 (Cody & Waite), and that multiple. */
function quadrant(x: A): readonly [rest: A, multiple: A] {
  const k = floor(plus(scale(x, 2 / Math.PI), 0.5));
  const rest = [1.5703125, 4.837512969970703e-4, 7.549789948768648e-8].reduce(
    (sum, part) => rounded(subtract(sum, rounded(scale(k, part)))),
    x,
  );
  return [rest, k];
}
/** Remainder of a whole float by 2 or 4. */
const modulo = (k: A, n: number): A => subtract(k, scale(floor(scale(k, 1 / n)), n));
function sine(x: A, shift: number): A {
  const [rest, multiple] = quadrant(x);
  const k = modulo(plus(multiple, shift), 4);
  const odd = equal(modulo(k, 2), like(x, 1));
  const magnitude = where(odd, rawCos(rest), rawSin(rest));
  const value = where(less(like(x, 1.5), k), scale(magnitude, -1), magnitude);
  return where(less(abs(x), like(x, Infinity)), value, like(x, NaN));
}
export const sin = (x: A): A => sine(x, 0);
export const cos = (x: A): A => sine(x, 1);

/** To the nearest whole number, halves to even. */
export function round(x: A): A {
  const below = floor(x);
  const part = subtract(x, below);
  const half = like(x, 0.5);
  const even = equal(modulo(below, 2), like(x, 0));
  const up = where(equal(part, half), not(even), less(half, part));
  const value = add(below, cast(up, "float32"));
  return where(less(abs(x), like(x, 2 ** 23)), value, x);
}

/** e^(y log|x|) with the sign of a whole power, and the cases of IEEE 754. */
export function power(x: A, y: A): A {
  const zero = like(x, 0);
  const one = like(x, 1);
  const whole = equal(floor(y), y);
  const odd = equal(modulo(y, 2), one);
  const size = exp(multiply(y, log(abs(x))));
  const signed = where(less(x, zero), where(whole, where(odd, scale(size, -1), size), like(x, NaN)), size);
  const square = where(equal(y, like(x, 2)), multiply(x, x), where(equal(y, one), x, signed));
  return where(equal(y, zero), one, where(equal(x, one), one, square));
}
