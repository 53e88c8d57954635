/** A window of `n` samples, symmetric, by its name in SciPy. */
type Window = (n: number) => number[];

/** Values at -1 ... 1, evenly spaced. */
const over =
  (f: (x: number) => number): Window =>
  (n) =>
    Array.from({ length: n }, (_, i) => f((2 * i) / (n - 1) - 1));
/** Σ aₖ cos(kπx): sums of cosines with the maximum in the middle. */
const cosines = (...a: readonly number[]): Window =>
  over((x) => a.reduce((sum, c, k) => sum + c * Math.cos(k * Math.PI * x), 0));
const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/** Tapers of half the length in all, flat in between. */
const tukey: Window = over((x) => (Math.abs(x) <= 0.5 ? 1 : 0.5 * (1 + Math.cos(2 * Math.PI * (Math.abs(x) - 0.5)))));
/** Piecewise cubic, over n + 1 steps of half a sample. */
const parzen: Window = (n) =>
  Array.from({ length: n }, (_, i) => {
    const t = Math.abs(i - (n - 1) / 2) / (n / 2);
    return Math.abs(i - (n - 1) / 2) <= (n - 1) / 4 ? 1 - 6 * t * t + 6 * t ** 3 : 2 * (1 - t) ** 3;
  });
const triangle: Window = (n) =>
  Array.from({ length: n }, (_, i) => {
    const k = Math.min(i, n - 1 - i) + 1;
    return n % 2 === 0 ? (2 * k - 1) / n : (2 * k) / (n + 1);
  });
const cosine: Window = (n) => Array.from({ length: n }, (_, i) => Math.sin((Math.PI / n) * (i + 0.5)));
const exponential: Window = (n) => Array.from({ length: n }, (_, i) => Math.exp(-Math.abs(i - (n - 1) / 2)));
const bohman = over((x) => {
  const a = Math.abs(x);
  return a === 1 ? 0 : (1 - a) * Math.cos(Math.PI * a) + Math.sin(Math.PI * a) / Math.PI;
});
const barthann = over((x) => 0.62 - 0.48 * Math.abs(x / 2) + 0.38 * Math.cos(Math.PI * x));

const windows: Readonly<Record<string, Window>> = {
  barthann,
  bartlett: over((x) => 1 - Math.abs(x)),
  blackman: cosines(0.42, 0.5, 0.08),
  blackmanharris: cosines(0.35875, 0.48829, 0.14128, 0.01168),
  bohman,
  boxcar: (n) => Array.from({ length: n }, () => 1),
  cosine,
  exponential,
  flattop: cosines(0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
  hamming: cosines(0.54, 0.46),
  hann: cosines(0.5, 0.5),
  lanczos: over(sinc),
  nuttall: cosines(0.3635819, 0.4891775, 0.1365995, 0.0106411),
  parzen,
  triang: triangle,
  tukey,
};

/**
 * The window function `name` at `n` points, as `scipy.signal.get_window` gives it; a periodic one leaves out the last of n + 1.
 * Throws a TypeError that lists the known names.
 */
export function windowNamed(name: string, n: number, periodic: boolean): number[] {
  if (!Object.hasOwn(windows, name))
    throw new TypeError(
      `There is no window function "${name}". Known: ${Object.keys(windows).join(", ")}. Give other windows as arrays.`,
    );
  if (n === 1) return [1];
  return windows[name]!(periodic ? n + 1 : n).slice(0, n);
}
