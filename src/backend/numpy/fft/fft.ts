import { transformOf } from "./plan.js";
import { complex, type Complex } from "./roots.js";

/** Number arrays that transforms work on. */
export type Floats = Float32Array | Float64Array;

/**
 * Discrete Fourier transforms of all rows of `n` elements, in place, on real and imaginary parts of equal length; computed
 * in float64 whatever the arrays are. The inverse divides by `n`. Throws RangeError when the arrays are not whole rows.
 */
export function fft(re: Floats, im: Floats, n: number, inverse = false): void {
  if (re.length !== im.length || (re.length > 0 && !(n > 0 && re.length % n === 0))) {
    throw new RangeError(
      `fft: expected parts of equal length that are rows of n = ${n} elements. Received: lengths ${re.length} and ${im.length}.`,
    );
  }
  if (n < 2) return;
  const transform = transformOf(n);
  const row = complex(n);
  // With the parts exchanged the forward transform is the inverse one.
  const view: Complex = inverse ? { re: row.im, im: row.re } : row;
  for (let offset = 0; offset < re.length; offset += n) {
    for (let k = 0; k < n; k++) {
      row.re[k] = re[offset + k]!;
      row.im[k] = im[offset + k]!;
    }
    transform(view);
    const divisor = inverse ? n : 1;
    for (let k = 0; k < n; k++) {
      re[offset + k] = row.re[k]! / divisor;
      im[offset + k] = row.im[k]! / divisor;
    }
  }
}

/**
 * Transforms of rows of `n` real numbers: the first floor(n / 2) + 1 elements of each, the rest being their conjugates.
 * Two rows go through one complex transform.
 */
export function realFft(x: Floats, n: number): Complex {
  const half = Math.floor(n / 2) + 1;
  const rows = n > 0 ? x.length / n : 0;
  if (!Number.isInteger(rows)) {
    throw new RangeError(`realFft: expected rows of n = ${n} elements. Received: length ${x.length}.`);
  }
  const result = complex(rows * half);
  const transform = transformOf(Math.max(n, 1));
  const pair = complex(n);
  for (let row = 0; row < rows; row += 2) {
    const both = row + 1 < rows;
    for (let k = 0; k < n; k++) {
      pair.re[k] = x[row * n + k]!;
      pair.im[k] = both ? x[(row + 1) * n + k]! : 0;
    }
    transform(pair);
    for (let k = 0; k < half; k++) {
      const mirror = k === 0 ? 0 : n - k;
      const [a, b, c, d] = [pair.re[k]!, pair.im[k]!, pair.re[mirror]!, pair.im[mirror]!];
      const first = row * half + k;
      result.re[first] = (a + c) / 2;
      result.im[first] = (b - d) / 2;
      if (!both) continue;
      result.re[first + half] = (b + d) / 2;
      result.im[first + half] = (c - a) / 2;
    }
  }
  return result;
}

/**
 * Rows of `n` real numbers from the first floor(n / 2) + 1 elements of their transforms. The imaginary parts of element
 * zero and, for even n, of the last one are taken as zero.
 */
export function inverseRealFft(re: Floats, im: Floats, n: number): Float64Array {
  const half = Math.floor(n / 2) + 1;
  const rows = re.length / half;
  if (!(n > 0) || re.length !== im.length || !Number.isInteger(rows)) {
    throw new RangeError(
      `inverseRealFft: expected parts of equal length that are rows of ${half} elements. Received: lengths ${re.length} and ${im.length}.`,
    );
  }
  const result = new Float64Array(rows * n);
  const transform = transformOf(n);
  const pair = complex(n);
  const exchanged: Complex = { re: pair.im, im: pair.re };
  for (let row = 0; row < rows; row += 2) {
    const both = row + 1 < rows;
    for (let k = 0; k < half; k++) {
      const first = row * half + k;
      const real = k === 0 || 2 * k === n;
      const a = re[first]!;
      const b = real ? 0 : im[first]!;
      const c = both ? re[first + half]! : 0;
      const d = both && !real ? im[first + half]! : 0;
      // The first row's element plus i times the second's, and the same for their conjugates.
      pair.re[k] = a - d;
      pair.im[k] = b + c;
      if (real) continue;
      pair.re[n - k] = a + d;
      pair.im[n - k] = c - b;
    }
    transform(exchanged);
    for (let k = 0; k < n; k++) {
      result[row * n + k] = pair.re[k]! / n;
      if (both) result[(row + 1) * n + k] = pair.im[k]! / n;
    }
  }
  return result;
}
