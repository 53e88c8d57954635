import { NDArray } from "../core/ndarray.js";

/** How values between samples are found. */
export type Interpolation = "nearest" | "bilinear" | "bicubic" | "lanczos3" | "lanczos5";

/** Weight of a sample at distance `x`. */
const kernels: Readonly<Record<Exclude<Interpolation, "nearest">, (x: number) => number>> = {
  bilinear: (x) => Math.max(0, 1 - Math.abs(x)),
  // Keys, 1981, with a = -1/2.
  bicubic: (x) => {
    const d = Math.abs(x);
    if (d >= 2) return 0;
    return d >= 1 ? ((-0.5 * d + 2.5) * d - 4) * d + 2 : (1.5 * d - 2.5) * d * d + 1;
  },
  lanczos3: (x) => lanczos(x, 3),
  lanczos5: (x) => lanczos(x, 5),
};
function lanczos(x: number, radius: number): number {
  if (Math.abs(x) < 1e-7) return 1;
  if (Math.abs(x) >= radius) return 0;
  return (radius * Math.sin(Math.PI * x) * Math.sin((Math.PI * x) / radius)) / (Math.PI * x) ** 2;
}

/** The matrix [from, to] that resamples an axis of `from` samples to `to`, with the centers of the outer samples kept in proportion. */
export function interpolationMatrix(from: number, to: number, method: Interpolation): NDArray {
  const weights = new Float32Array(from * to);
  for (let j = 0; j < to; j++) {
    const center = ((j + 0.5) * from) / to - 0.5;
    if (method === "nearest") {
      weights[Math.min(from - 1, Math.floor(center + 0.5)) * to + j] = 1;
      continue;
    }
    const column = Array.from({ length: from }, (_, i) => kernels[method](center - i));
    const total = column.reduce((sum, weight) => sum + weight, 0);
    column.forEach((weight, i) => {
      weights[i * to + j] = total === 0 ? 0 : weight / total;
    });
  }
  return new NDArray(weights, [from, to], "float32");
}
