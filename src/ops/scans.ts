import { defineOp } from "../core/op.js";
import type { Tensor } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import * as loops from "./loops.js";
import { carryOf, settledCarry } from "./loops-of-trees.js";
import { axisOf } from "./support.js";
import { takeApart, type TakenApart } from "./trees.js";

interface ScanOptions<X> {
  /** A tree of tensors whose leading axis the steps go along. */
  xs?: X | null | undefined;
  /** How many steps; needed when there is no `xs`. */
  length?: number | null | undefined;
  /** Whether to start from the end; results keep the order of `xs`. */
  reverse?: boolean | undefined;
  /** Accepted for Keras's sake: a positive integer or a boolean. */
  unroll?: number | boolean | undefined;
}

/** The common leading size of a tree's tensors, or `length`; throws when they do not agree. */
function stepsOf(xs: TakenApart, length: number | null, name: string): number {
  const sizes = xs.tensors.map((x) => {
    if (x.ndim === 0) throw new TypeError(`${name} goes along a leading axis. Received a scalar among its inputs.`);
    return x.shape[0]!;
  });
  if (length !== null) sizes.push(length);
  const known = [...new Set(sizes.filter((n) => !Number.isNaN(n)))];
  if (known.length > 1)
    throw new RangeError(`${name}: leading axes (and length) must agree. Received sizes: ${known.join(", ")}.`);
  if (sizes.length === 0) throw new TypeError(`${name} needs \`xs\` or \`length\` to know how many steps to make.`);
  return known[0] ?? NaN;
}
function checkFunction(f: unknown, name: string): void {
  if (typeof f !== "function") throw new TypeError(`${name} expects a function. Received: ${String(f)}.`);
}

function scanOf<C, X, Y>(
  f: (carry: C, x: X) => readonly [carry: C, y: Y],
  init: C,
  { xs = null, length = null, reverse = false, unroll = 1 }: ScanOptions<X> = {},
): [carry: C, ys: Y] {
  checkFunction(f, "scan");
  if (typeof unroll !== "boolean" && (!Number.isInteger(unroll) || unroll < 1))
    throw new RangeError(`scan: unroll must be a positive integer or a boolean. Received: ${String(unroll)}.`);
  const entered = takeApart(init);
  const sequences = takeApart(xs);
  const steps = stepsOf(sequences, length, "scan");
  let packResults: TakenApart["pack"] = () => null;
  const step = (carry: readonly Tensor[], x: readonly Tensor[]) => {
    const returned = f(entered.pack(carry) as C, sequences.pack(x) as X);
    if (!Array.isArray(returned) || returned.length !== 2)
      throw new TypeError("scan: the function must return a pair of the next carry and a result.");
    const result = takeApart(returned[1]);
    packResults = result.pack;
    return { carry: carryOf(returned[0], entered, "scan"), results: result.tensors };
  };
  const start = settledCarry(entered, (carry) => step(carry, sequences.tensors.map(anySlice)).carry);
  const { carry, results } = loops.scan(step, start, sequences.tensors, { length: steps, reverse });
  return [entered.pack(carry) as C, packResults(results) as Y];
}
const anySlice = (x: Tensor): Tensor => P.full(x.shape.slice(1), 0, x.dtype);

/**
 * Goes along the leading axis of `xs` with a carry: `[carry, y] = f(carry, x)` at each step. Returns the last carry and the results
 * stacked. Carry, slices and results may be trees of tensors; shapes and dtypes of the carry must stay.
 */
export const scan = defineOp("core.Scan", scanOf);

function mapOf<X, Y>(f: (x: X) => Y, xs: X, name: string): Y {
  checkFunction(f, name);
  return scanOf<null, X, Y>((_, x) => [null, f(x)], null, { xs })[1];
}
/** Applies `f` to each slice along the leading axis of `xs`, a tree of tensors, and stacks the results. */
export const map = defineOp("core.Map", <X, Y>(f: (x: X) => Y, xs: X): Y => mapOf(f, xs, "map"));
/** Applies a function of single elements to stacks of them: to each slice along the leading axis of a tree of tensors. */
export const vectorizedMap = defineOp("core.VectorizedMap", <X, Y>(fn: (x: X) => Y, elements: X): Y =>
  mapOf(fn, elements, "vectorizedMap"),
);

interface AssociativeScanOptions {
  /** Whether to combine from the end. */
  reverse?: boolean | undefined;
  axis?: number | undefined;
}
/** Elements `from` up to `to` of an axis. */
const span = (x: Tensor, axis: number, from: number, to: number): Tensor =>
  P.slice(
    x,
    x.shape.map((_, i) => (i === axis ? from : 0)),
    x.shape.map((d, i) => (i === axis ? to : d)),
  );

/**
 * All prefixes of an associative combination along an axis of a tree of tensors. `f` combines two trees of equal shapes, element by
 * element along the axis; it is called about log2(n) times (Hillis & Steele, 1986).
 */
export const associativeScan = defineOp(
  "core.AssociativeScan",
  <T>(f: (a: T, b: T) => T, elems: T, { reverse = false, axis = 0 }: AssociativeScanOptions = {}): T => {
    checkFunction(f, "associativeScan");
    const { tensors, pack } = takeApart(elems);
    const axes = tensors.map((x) => axisOf(axis, x.ndim));
    const turned = (xs: readonly Tensor[]): readonly Tensor[] =>
      reverse ? xs.map((x, i) => P.reverse(x, [axes[i]!])) : xs;
    const sizes = new Set(tensors.map((x, i) => x.shape[axes[i]!]!));
    const [n = 0] = sizes;
    if (sizes.size > 1)
      throw new RangeError(
        `associativeScan: tensors must agree on axis ${axis}. Received sizes: ${[...sizes].join(", ")}.`,
      );
    let state = turned(tensors);
    for (let distance = 1; distance < n; distance *= 2) {
      const before = state.map((x, i) => span(x, axes[i]!, 0, n - distance));
      const after = state.map((x, i) => span(x, axes[i]!, distance, n));
      const combined = takeApart(f(pack(before) as T, pack(after) as T)).tensors;
      state = state.map((x, i) => P.concatenate([span(x, axes[i]!, 0, distance), combined[i]!], axes[i]!));
    }
    return pack(turned(state)) as T;
  },
);
