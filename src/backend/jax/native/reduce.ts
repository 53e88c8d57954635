import type { ReduceAttributes } from "../../../primitives/index.js";
import {
  type A,
  cast,
  count,
  equal,
  isNaN,
  max,
  min,
  or,
  and,
  padZeros,
  product,
  reshape,
  scalar,
  sizeOf,
  sum,
  where,
} from "../ops.js";
import { type Lowering, type Lowerings, of } from "./lowering.js";

/** Elements that one accumulator may add up: jax-js sums one after another, and errors grow with the number. */
const RUN = 256;

/** A sum in steps of at most `RUN` elements. */
export function sumInSteps(x: A, axes: readonly number[], keepdims: boolean): A {
  const total = sizeOf(axes.map((i) => x.shape[i]!));
  if (total <= RUN || (x.dtype as string) !== "float32") return sum(x, axes, keepdims);
  if (axes.length > 1) {
    const last = axes[axes.length - 1]!;
    const rest = sumInSteps(sumInSteps(x, [last], true), axes.slice(0, -1), true);
    return keepdims
      ? rest
      : reshape(
          rest,
          x.shape.filter((_, i) => !axes.includes(i)),
        );
  }
  const axis = axes[0]!;
  const n = x.shape[axis]!;
  const runs = Math.ceil(n / RUN);
  const missing = x.shape.map((_, i) => (i === axis ? runs * RUN - n : 0));
  const full = padZeros(
    x,
    missing.map(() => 0),
    missing,
  );
  const split = reshape(full, [...x.shape.slice(0, axis), runs, RUN, ...x.shape.slice(axis + 1)]);
  return sumInSteps(sum(split, [axis + 1]), [axis], keepdims);
}

function argExtreme(x: A, axis: number, extreme: typeof max): A {
  const best = extreme(x, [axis], true);
  const isFloat = (x.dtype as string) === "float32";
  const attained = isFloat ? or(equal(x, best), and(isNaN(x), isNaN(best))) : equal(x, best);
  const position = where(attained, count(x.shape, axis), scalar(x.shape[axis]!, "int32"));
  return min(position, [axis]);
}

const number = of("float32", "int32", "uint32");
const reduction = (
  reduce: (x: A, axes: readonly number[], keepdims: boolean) => A,
  when?: Lowering<ReduceAttributes>["when"],
): Lowering<ReduceAttributes> => ({
  lower: ([x], { axes, keepdims }) => [axes.length === 0 ? x! : reduce(x!, axes, keepdims)],
  ...(when && { when }),
});
const asNumbers =
  (reduce: typeof max): typeof max =>
  (x, axes, keepdims) =>
    cast(reduce(cast(x, "int32"), axes, keepdims), "bool");

/** Reductions. Cumulative ones are left out: jax-js computes each prefix from the start. */
export const reduceLowerings = {
  sum: reduction(sumInSteps, number),
  max: reduction(max, number),
  min: reduction(min, number),
  product: reduction(product, number),
  all: reduction(asNumbers(min), of("bool")),
  any: reduction(asNumbers(max), of("bool")),
  argMax: { when: number, lower: ([x], { axis }) => [argExtreme(x!, axis, max)] },
  argMin: { when: number, lower: ([x], { axis }) => [argExtreme(x!, axis, min)] },
} satisfies Lowerings;
