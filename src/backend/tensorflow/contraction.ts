import type { DotAttributes } from "../../primitives/dot.js";
import { sizeOf } from "../../core/ndarray.js";
import { areFloats, liesHere, type NativeKernel, type NativeKernels } from "./native.js";
import { run, type Temporaries, withTemporaries } from "./run.js";
import type { Value } from "./value.js";

/** Products smaller than this are not worth moving operands for. */
const SMALL = 1 << 12;

const rest = (rank: number, taken: readonly number[]): number[] =>
  Array.from({ length: rank }, (_, i) => i).filter((i) => !taken.includes(i));
const sizes = (x: Value, axes: readonly number[]): number => sizeOf(axes.map((i) => x.shape[i]!));

/** A matrix product; operands are turned first, since the kernel takes turned ones 10 to 30 times slower. Side by side products are left out: the kernel does not block them. */
const dot: NativeKernel<DotAttributes> = ([x, y], { contract, batch }, [spec]) => {
  const batches = sizes(x!, batch[0]);
  if (!areFloats([x!, y!], spec!) || batches !== 1) return null;
  const freeX = rest(x!.shape.length, [...contract[0], ...batch[0]]);
  const freeY = rest(y!.shape.length, [...contract[1], ...batch[1]]);
  const [m, n, k] = [sizes(x!, freeX), sizes(y!, freeY), sizes(x!, contract[0])];
  if (m * n * k < SMALL && !liesHere([x!, y!])) return null;
  return withTemporaries(spec!, (tmp) => {
    const a = tmp.reshape(tmp.transpose(x!.tensor, [...batch[0], ...freeX, ...contract[0]]), [1, m, k]);
    const b = tmp.weights("BatchMatMul", tmp.transpose(y!.tensor, [...batch[1], ...contract[1], ...freeY]), [1, k, n]);
    return tmp.run("BatchMatMul", { a, b }, { transposeA: false, transposeB: false });
  });
};

/** Elements added one after another in single precision; more go through partial sums, so that rounding does not pile up. */
const RUN = 1024;

/** The divisor of `n` nearest to its square root, from below. */
function divisor(n: number): number {
  for (let d = Math.floor(Math.sqrt(n)); d > 1; d--) if (n % d === 0) return d;
  return 1;
}

function sumRows(tmp: Temporaries, x: Parameters<Temporaries["reshape"]>[0], rows: number, columns: number): typeof x {
  const ones = tmp.run("Fill", {}, { shape: [1, 1, rows], value: 1, dtype: "float32" });
  const b = tmp.weights("BatchMatMul", x, [1, rows, columns]);
  return tmp.run("BatchMatMul", { a: ones, b }, { transposeA: false, transposeB: false });
}

/**
 * Sums over leading axes, as products with ones, which are far faster than the sum kernel there, and sums over few elements of trailing axes.
 * Everything is added in single precision, so long sums are split or left to the built-in engine.
 */
const sum: NativeKernel<{ readonly axes: readonly number[] }> = ([x], { axes }, [spec]) => {
  if (!areFloats([x!], spec!) || !liesHere([x!]) || axes.length === 0) return null;
  const count = sizes(x!, axes);
  const columns = x!.size / count;
  if (axes.every((axis, i) => axis === i) && columns > 1) {
    const outer = count > RUN ? divisor(count) : count;
    if (count / outer > 4 * RUN || outer > RUN) return null;
    return withTemporaries(spec!, (tmp) => {
      const partial = sumRows(tmp, x!.tensor, outer, x!.size / outer);
      return outer === count ? partial : sumRows(tmp, partial, count / outer, columns);
    });
  }
  const trailing = axes.every((axis, i) => axis === x!.shape.length - axes.length + i);
  if (!trailing || count > RUN) return null;
  return withTemporaries(spec!, (tmp) => {
    const rows = tmp.reshape(x!.tensor, [columns, count]);
    return tmp.own(run("Sum", { x: rows }, { axis: [1], keepDims: false }));
  });
};

export const contractionKernels = { dot, sum } satisfies NativeKernels;
