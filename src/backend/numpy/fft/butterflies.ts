import type { Complex } from "./roots.js";

/**
 * One stage of Stockham's transform: what `stage` describes is read from `x` and written to `y`. With p the radix, m the
 * number of groups and s their spacing, element q + s (p j + t) of `y` is w^(s j t) times the sum over k of
 * x[q + s (j + m k)] exp(-2 pi i k t / p), for q < s, j < m, t < p, where w^k are the roots of the whole length p m s.
 */
export type Butterfly = (x: Complex, y: Complex, p: number, m: number, s: number, w: Complex) => void;

/** Radix 2. */
export const radix2: Butterfly = (x, y, _p, m, s, w) => {
  const { re: xr, im: xi } = x;
  const { re: yr, im: yi } = y;
  const { re: wr, im: wi } = w;
  const half = s * m;
  for (let j = 0; j < m; j++) {
    const cr = wr[s * j]!;
    const ci = wi[s * j]!;
    let target = 2 * s * j;
    for (let a = s * j, end = a + s; a < end; a++, target++) {
      const b = a + half;
      const ar = xr[a]!;
      const ai = xi[a]!;
      const br = xr[b]!;
      const bi = xi[b]!;
      yr[target] = ar + br;
      yi[target] = ai + bi;
      const dr = ar - br;
      const di = ai - bi;
      yr[target + s] = dr * cr - di * ci;
      yi[target + s] = dr * ci + di * cr;
    }
  }
};

/** Radix 4. */
export const radix4: Butterfly = (x, y, _p, m, s, w) => {
  const { re: xr, im: xi } = x;
  const { re: yr, im: yi } = y;
  const { re: wr, im: wi } = w;
  const step = s * m;
  for (let j = 0; j < m; j++) {
    const c1 = wr[s * j]!;
    const s1 = wi[s * j]!;
    const c2 = wr[2 * s * j]!;
    const s2 = wi[2 * s * j]!;
    const c3 = wr[3 * s * j]!;
    const s3 = wi[3 * s * j]!;
    let target = 4 * s * j;
    for (let a = s * j, end = a + s; a < end; a++, target++) {
      const b = a + step;
      const c = b + step;
      const d = c + step;
      const sumR = xr[a]! + xr[c]!;
      const sumI = xi[a]! + xi[c]!;
      const differenceR = xr[a]! - xr[c]!;
      const differenceI = xi[a]! - xi[c]!;
      const otherR = xr[b]! + xr[d]!;
      const otherI = xi[b]! + xi[d]!;
      // -i times the difference of the second and fourth.
      const turnedR = xi[b]! - xi[d]!;
      const turnedI = xr[d]! - xr[b]!;
      yr[target] = sumR + otherR;
      yi[target] = sumI + otherI;
      let re = differenceR + turnedR;
      let im = differenceI + turnedI;
      yr[target + s] = re * c1 - im * s1;
      yi[target + s] = re * s1 + im * c1;
      re = sumR - otherR;
      im = sumI - otherI;
      yr[target + 2 * s] = re * c2 - im * s2;
      yi[target + 2 * s] = re * s2 + im * c2;
      re = differenceR - turnedR;
      im = differenceI - turnedI;
      yr[target + 3 * s] = re * c3 - im * s3;
      yi[target + 3 * s] = re * s3 + im * c3;
    }
  }
};

/**
 * Any odd radix p. Terms k and p - k are added and subtracted first, so that each output pair shares its products.
 */
export const radixOdd: Butterfly = (x, y, p, m, s, w) => {
  const { re: xr, im: xi } = x;
  const { re: yr, im: yi } = y;
  const { re: wr, im: wi } = w;
  const half = (p - 1) / 2;
  const step = s * m;
  const plusR = new Float64Array(half + 1);
  const plusI = new Float64Array(half + 1);
  const minusR = new Float64Array(half + 1);
  const minusI = new Float64Array(half + 1);
  for (let j = 0; j < m; j++) {
    for (let q = 0; q < s; q++) {
      const source = q + s * j;
      const target = q + s * p * j;
      const firstR = xr[source]!;
      const firstI = xi[source]!;
      let totalR = firstR;
      let totalI = firstI;
      for (let k = 1; k <= half; k++) {
        const a = source + step * k;
        const b = source + step * (p - k);
        plusR[k] = xr[a]! + xr[b]!;
        plusI[k] = xi[a]! + xi[b]!;
        minusR[k] = xr[a]! - xr[b]!;
        minusI[k] = xi[a]! - xi[b]!;
        totalR += plusR[k]!;
        totalI += plusI[k]!;
      }
      yr[target] = totalR;
      yi[target] = totalI;
      for (let t = 1; t <= half; t++) {
        let evenR = firstR;
        let evenI = firstI;
        let oddR = 0;
        let oddI = 0;
        for (let k = 1, turn = 0; k <= half; k++) {
          turn += t;
          if (turn >= p) turn -= p;
          const c = wr[step * turn]!;
          const d = wi[step * turn]!;
          evenR += plusR[k]! * c;
          evenI += plusI[k]! * c;
          oddR -= minusI[k]! * d;
          oddI += minusR[k]! * d;
        }
        let index = s * j * t;
        let output = target + s * t;
        let re = evenR + oddR;
        let im = evenI + oddI;
        yr[output] = re * wr[index]! - im * wi[index]!;
        yi[output] = re * wi[index]! + im * wr[index]!;
        index = s * j * (p - t);
        output = target + s * (p - t);
        re = evenR - oddR;
        im = evenI - oddI;
        yr[output] = re * wr[index]! - im * wi[index]!;
        yi[output] = re * wi[index]! + im * wr[index]!;
      }
    }
  }
};
