import { identity } from "./matrix.js";
import { rotateRows } from "./rotation.js";

/** What numbers are rounded to between the steps. */
export interface Precision {
  readonly round: (x: number) => number;
  readonly epsilon: number;
  /** The smallest number of full precision. */
  readonly smallest: number;
}
export const double: Precision = { round: (x) => x, epsilon: 2 ** -53, smallest: 2 ** -1022 };
export const single: Precision = { round: Math.fround, epsilon: 2 ** -24, smallest: 2 ** -126 };

/** A rotation (c, s), and what it makes of the vector it was chosen for: (r, 0). */
type Rotation = readonly [c: number, s: number, r: number];

/**
 * Eigenvalues (ascending) of the symmetric tridiagonal matrix with the diagonal `d` and the elements `e` below it, and its eigenvectors, the
 * rows of an n x n matrix. Both arguments are overwritten.
 *
 * Implicit QL or QR steps, whichever begin at the larger end, with Wilkinson's shift (Dubrulle, Martin and Wilkinson, "The implicit QL
 * algorithm", 1968). Where steps end, how a last pair is split and in which order values are sorted follows LAPACK's steqr, because
 * that decides the signs of the vectors.
 */
export function tridiagonalEigen(d: Float64Array, e: Float64Array, n: number, precision: Precision): Float64Array {
  const vectors = identity(n);
  const solver = new Solver(d, e, n, vectors, precision);
  for (let first = 0; first < n;) {
    const last = solver.blockFrom(first);
    solver.solve(first, last);
    first = last + 1;
  }
  sortRows(d, vectors, n);
  return vectors;
}

class Solver {
  private budget: number;
  constructor(
    private readonly d: Float64Array,
    private readonly e: Float64Array,
    private readonly n: number,
    private readonly vectors: Float64Array,
    private readonly precision: Precision,
  ) {
    this.budget = 30 * n;
  }

  /** The last row of the block that begins at `first`: what couples it to the next is negligible, and becomes 0. */
  blockFrom(first: number): number {
    const { d, e, precision } = this;
    for (let i = first; i < this.n - 1; i++) {
      const reach = Math.sqrt(Math.abs(d[i]!)) * Math.sqrt(Math.abs(d[i + 1]!));
      if (Math.abs(e[i]!) <= reach * precision.epsilon) {
        e[i] = 0;
        return i;
      }
    }
    return this.n - 1;
  }

  /** Diagonalises the rows `first` to `last`; what does not converge stays as it is. */
  solve(first: number, last: number): void {
    const { d } = this;
    // The first eigenvalue is looked for at the end where the smaller element is.
    const down = Math.abs(d[last]!) >= Math.abs(d[first]!);
    const step = down ? 1 : -1;
    const end = down ? last : first;
    for (let at = down ? first : last; step * (end - at) >= 0;) {
      let until = at;
      while (until !== end && !this.splits(until, step)) until += step;
      if (until !== end) this.couple(until, step, 0);
      if (until === at) at += step;
      else if (until === at + step) {
        this.splitPair(Math.min(at, until));
        at += 2 * step;
      } else if (this.budget-- > 0) this.sweep(at, until, step);
      else return;
    }
  }

  /** The element between row `i` and the next one in the direction of `step`. */
  private between(i: number, step: number): number {
    return this.e[step > 0 ? i : i - 1]!;
  }
  private couple(i: number, step: number, value: number): void {
    this.e[step > 0 ? i : i - 1] = value;
  }
  private splits(i: number, step: number): boolean {
    const { d, precision } = this;
    const tie = this.between(i, step) ** 2;
    return tie <= precision.epsilon ** 2 * Math.abs(d[i]!) * Math.abs(d[i + step]!) + precision.smallest;
  }

  /** Rows k and k + 1, alone, by the rotation to their eigenvectors; the value of larger size comes first. */
  private splitPair(k: number): void {
    const { d, e, n, vectors, precision } = this;
    const { round } = precision;
    const [a, b, c] = [d[k]!, e[k]!, d[k + 1]!];
    const sum = a + c;
    const difference = a - c;
    const root = Math.hypot(difference, 2 * b);
    const larger = sum < 0 ? (sum - root) / 2 : (sum + root) / 2;
    const [high, low] = Math.abs(a) > Math.abs(c) ? [a, c] : [c, a];
    d[k] = round(larger);
    d[k + 1] = round(sum === 0 ? -root / 2 : (high / larger) * low - (b / larger) * b);
    e[k] = 0;
    const lean = difference >= 0 ? difference + root : difference - root;
    let [x, y] = [1, 0];
    if (Math.abs(lean) > Math.abs(2 * b)) {
      const ratio = (-2 * b) / lean;
      y = 1 / Math.sqrt(1 + ratio * ratio);
      x = ratio * y;
    } else if (b !== 0) {
      const ratio = -lean / (2 * b);
      x = 1 / Math.sqrt(1 + ratio * ratio);
      y = ratio * x;
    }
    if (sum < 0 === difference < 0) [x, y] = [-y, x];
    rotateRows(vectors, n, k, k + 1, x, y);
  }

  /** One step on the rows from `until` back to `at`, which moves toward an eigenvalue. */
  private sweep(at: number, until: number, step: number): void {
    const { d, n, vectors, precision } = this;
    const { round } = precision;
    const start = d[at]!;
    const tie = this.between(at, step);
    const slope = round((d[at + step]! - start) / (2 * tie));
    const length = round(Math.hypot(slope, 1));
    let g = round(d[until]! - start + tie / (slope + (slope < 0 ? -length : length)));
    let [s, c, p] = [1, 1, 0];
    for (let i = until - step; ; i -= step) {
      const far = this.between(i, step);
      const f = round(s * far);
      const b = round(c * far);
      let r: number;
      [c, s, r] = rotation(g, f, round);
      if (i !== until - step) this.couple(i + step, step, r);
      g = round(d[i + step]! - p);
      r = round(round(d[i]! - g) * s + 2 * c * b);
      p = round(s * r);
      d[i + step] = round(g + p);
      g = round(c * r - b);
      rotateRows(vectors, n, Math.min(i, i + step), Math.max(i, i + step), c, step > 0 ? -s : s);
      if (i === at) break;
    }
    d[at] = round(d[at]! - p);
    this.couple(at, step, g);
  }
}

/** The rotation of (f, g) to (r, 0) whose cosine is not negative. */
function rotation(f: number, g: number, round: (x: number) => number): Rotation {
  if (g === 0) return [1, 0, f];
  if (f === 0) return [0, g < 0 ? -1 : 1, Math.abs(g)];
  const size = Math.hypot(f, g);
  const r = round(f < 0 ? -size : size);
  return [round(Math.abs(f) / size), round(g / r), r];
}

/** Brings the values into ascending order with the fewest exchanges, and the rows with them. */
function sortRows(d: Float64Array, rows: Float64Array, n: number): void {
  for (let i = 0; i < n - 1; i++) {
    let least = i;
    for (let j = i + 1; j < n; j++) if (d[j]! < d[least]!) least = j;
    if (least === i) continue;
    [d[i], d[least]] = [d[least]!, d[i]!];
    const row = rows.slice(i * n, (i + 1) * n);
    rows.copyWithin(i * n, least * n, (least + 1) * n);
    rows.set(row, least * n);
  }
}
