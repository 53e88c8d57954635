type Numbers = Float32Array | Int32Array | Uint32Array;
/** The position of the extreme of n elements at a stride. */
export type ArgLoop<L> = (n: number, x: L, at: number, step: number) => number;

/** The first largest; the first NaN wins. */
export const argMax: ArgLoop<Float32Array> = (n, x, at, step) => {
  let best = x[at]!;
  let position = 0;
  if (best !== best) return 0;
  for (let i = 1, p = at + step; i < n; i++, p += step) {
    const v = x[p]!;
    if (v > best) {
      best = v;
      position = i;
    } else if (v !== v) return i;
  }
  return position;
};
export const argMin: ArgLoop<Float32Array> = (n, x, at, step) => {
  let best = x[at]!;
  let position = 0;
  if (best !== best) return 0;
  for (let i = 1, p = at + step; i < n; i++, p += step) {
    const v = x[p]!;
    if (v < best) {
      best = v;
      position = i;
    } else if (v !== v) return i;
  }
  return position;
};
export const argMaxInt: ArgLoop<Numbers> = (n, x, at, step) => {
  let best = x[at]!;
  let position = 0;
  for (let i = 1, p = at + step; i < n; i++, p += step) {
    const v = x[p]!;
    if (v > best) {
      best = v;
      position = i;
    }
  }
  return position;
};
export const argMinInt: ArgLoop<Numbers> = (n, x, at, step) => {
  let best = x[at]!;
  let position = 0;
  for (let i = 1, p = at + step; i < n; i++, p += step) {
    const v = x[p]!;
    if (v < best) {
      best = v;
      position = i;
    }
  }
  return position;
};
