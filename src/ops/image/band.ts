import { NDArray } from "../../core/ndarray.js";

/**
 * A matrix [from, to] by which an axis of `from` samples becomes one of `to`, of which only a band is not 0: column j has `count` weights,
 * from row first[j] on.
 */
export interface Band {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly first: Int32Array;
  /** [count, to] */
  readonly weights: Float32Array;
}

/** Weight of a sample by its distance, 0 from `radius` on. */
interface Filter {
  readonly radius: number;
  readonly weight: (distance: number) => number;
}
/** A sinc function under the middle of a wider one. */
const lanczos = (radius: number): Filter => ({
  radius,
  weight: (d) =>
    d > 1e-3 ? (radius * Math.sin(Math.PI * d) * Math.sin((Math.PI * d) / radius)) / (Math.PI ** 2 * d * d) : 1,
});
const filters = {
  bilinear: { radius: 1, weight: (d) => 1 - d },
  /** Cubic convolution with a = -1/2 (Keys, "Cubic convolution interpolation for digital image processing", 1981). */
  bicubic: {
    radius: 2,
    weight: (d) => (d >= 1 ? ((-0.5 * d + 2.5) * d - 4) * d + 2 : (1.5 * d - 2.5) * d * d + 1),
  },
  lanczos3: lanczos(3),
  lanczos5: lanczos(5),
} as const satisfies Readonly<Record<string, Filter>>;

/** How values between samples are found. */
export type Interpolation = "nearest" | keyof typeof filters;
/** Interpolations by name. */
export const interpolations: { readonly [name in Interpolation]: name } = {
  nearest: "nearest",
  bilinear: "bilinear",
  bicubic: "bicubic",
  lanczos3: "lanczos3",
  lanczos5: "lanczos5",
};

const round = Math.fround;

/**
 * The band that resizes an axis. Places are computed in float32 as JAX does, so that ties fall alike; with `antialias` filters widen
 * where several samples become one.
 */
export function resizingBand(from: number, to: number, interpolation: Interpolation, antialias = false): Band {
  if (interpolation === "nearest") return nearestBand(from, to);
  const { radius, weight } = filters[interpolation];
  const step = round(1 / (to / from));
  const width = antialias ? Math.max(step, 1) : 1;
  const places = Float32Array.from({ length: to }, (_, j) => round(round(j + 0.5) * step) - 0.5);
  const begins = places.map((place) => Math.max(0, Math.floor(place - radius * width) + 1));
  const ends = places.map((place) => Math.min(from, Math.ceil(place + radius * width)));
  const count = Math.max(
    1,
    ends.reduce((most, end, j) => Math.max(most, end - begins[j]!), 0),
  );
  const first = Int32Array.from(begins, (begin) => Math.min(begin, from - count));
  const weights = new Float32Array(count * to);
  places.forEach((place, j) => {
    // Outside the axis there is nothing to see.
    if (place < -0.5 || place > from - 0.5) return;
    let total = 0;
    for (let i = begins[j]!; i < ends[j]!; i++) {
      const w = weight(Math.abs(place - i) / width);
      weights[(i - first[j]!) * to + j] = w;
      total += w;
    }
    // As in JAX: a sum below a thousand roundings is none.
    const scale = Math.abs(total) > 1000 * 2 ** -23 ? 1 / total : 0;
    for (let k = 0; k < count; k++) weights[k * to + j]! *= scale;
  });
  return { from, to, count, first, weights };
}

/** Each new sample is the old one whose area holds its center. */
function nearestBand(from: number, to: number): Band {
  const first = Int32Array.from({ length: to }, (_, j) =>
    Math.min(from - 1, Math.floor(round(round((j + 0.5) * from) / to))),
  );
  return { from, to, count: 1, first, weights: new Float32Array(to).fill(1) };
}

/** The transposed matrix: what brings gradients back. */
export function transposed({ from, to, count, first, weights }: Band): Band {
  const begins = new Int32Array(from).fill(to);
  const ends = new Int32Array(from);
  const visit = (see: (i: number, j: number, weight: number) => void): void => {
    for (let j = 0; j < to; j++)
      for (let k = 0; k < count; k++) {
        const weight = weights[k * to + j]!;
        if (weight !== 0) see(first[j]! + k, j, weight);
      }
  };
  visit((i, j) => {
    begins[i] = Math.min(begins[i]!, j);
    ends[i] = Math.max(ends[i]!, j + 1);
  });
  const height = Math.max(
    1,
    ends.reduce((most, end, i) => Math.max(most, end - begins[i]!), 0),
  );
  const starts = begins.map((begin) => Math.min(begin, to - height));
  const turned = new Float32Array(height * from);
  visit((i, j, weight) => (turned[(j - starts[i]!) * from + i] = weight));
  return { from: to, to: from, count: height, first: starts, weights: turned };
}

/** The whole matrix, float32. */
export function matrixOf({ from, to, count, first, weights }: Band): NDArray {
  const data = new Float32Array(from * to);
  for (let j = 0; j < to; j++) for (let k = 0; k < count; k++) data[(first[j]! + k) * to + j] = weights[k * to + j]!;
  return new NDArray(data, [from, to], "float32");
}
