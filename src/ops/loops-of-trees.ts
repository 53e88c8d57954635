import { toTensor } from "../core/convert.js";
import { inSpecMode } from "../core/interpreter.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import * as loops from "./loops.js";
import { assertSameSpecs, takeApart, type TakenApart } from "./trees.js";

type Tensors = readonly Tensor[];
const between = ["what enters", "what leaves the body"] as const;

/** The carried tensors, where those that were plain numbers have the dtype the body gives them. */
export function settledCarry({ tensors, isPlain }: TakenApart, step: (xs: Tensors) => Tensors): Tensors {
  if (!isPlain.includes(true)) return tensors;
  const next = inSpecMode(() => step(tensors));
  return tensors.map((x, i) => (isPlain[i] && next[i] ? P.cast(x, next[i].dtype) : x));
}

/** Tensors of the tree that a body returns; throws when they are not as many as entered. */
export function carryOf(result: unknown, entered: TakenApart, name: string): Tensors {
  const { tensors } = takeApart(result);
  assertSameSpecs(
    entered.tensors.map((_, i) => (tensors[i] ? tensors[i] : entered.tensors[i]!)),
    tensors,
    name,
    between,
  );
  return tensors;
}

interface WhileOptions {
  /** Stops the loop even while the condition holds. */
  maximumIterations?: number | null | undefined;
}
type Variables = readonly unknown[];

function whileOf<V extends Variables>(
  cond: (...loopVars: V) => TensorLike,
  body: (...loopVars: V) => readonly [...V] | V,
  loopVars: V,
  options?: WhileOptions,
): V;
function whileOf<V>(cond: (x: V) => TensorLike, body: (x: V) => V, loopVars: V, options?: WhileOptions): V;
function whileOf(
  cond: (...loopVars: any[]) => TensorLike,
  body: (...loopVars: any[]) => unknown,
  loopVars: unknown,
  { maximumIterations = null }: WhileOptions = {},
): unknown {
  const isList = Array.isArray(loopVars);
  const entered = takeApart(isList ? loopVars : [loopVars]);
  const unpacked = (xs: Tensors): unknown[] => entered.pack(xs) as unknown[];
  const step = (xs: Tensors): Tensors => {
    const result = body(...unpacked(xs));
    if (isList && !Array.isArray(result))
      throw new TypeError(`whileLoop: the body must return a list of ${loopVars.length} loop variables.`);
    return carryOf(isList ? result : [result], entered, "whileLoop");
  };
  const test = (xs: Tensors): Tensor => {
    const proceed = toTensor(cond(...unpacked(xs)), "bool");
    if (proceed.ndim !== 0)
      throw new TypeError(`whileLoop: the condition must give a scalar. Received shape [${proceed.shape}].`);
    return proceed;
  };
  const start = settledCarry(entered, step);
  if (maximumIterations === null) return result(loops.whileLoop(test, step, start));
  const limit = toTensor(maximumIterations, "int32");
  const one = P.full([], 1, "int32");
  const counted = loops.whileLoop(
    (xs) => P.logicalAnd(P.less(xs.at(-1)!, limit), test(xs.slice(0, -1))),
    (xs) => [...step(xs.slice(0, -1)), P.add(xs.at(-1)!, one)],
    [...start, P.full([], 0, "int32")],
  );
  return result(counted.slice(0, -1));

  function result(xs: Tensors): unknown {
    const packed = unpacked(xs);
    return isList ? packed : packed[0];
  }
}
/**
 * Repeats `body` on the loop variables while `cond` gives true. Both are called once, on stand-ins, and get the variables as arguments;
 * each may be a tree of tensors, whose shapes and dtypes must stay. Has no gradient.
 */
export const whileLoop = defineOp("core.WhileLoop", whileOf);

/**
 * Repeats `value = body(i, value)` for i from `lower` up to `upper`, exclusive. The value may be a tree of tensors. Has a gradient
 * where the bounds are plain numbers.
 */
export const foriLoop = defineOp("core.ForiLoop", foriOf);
function foriOf<V>(lower: TensorLike, upper: TensorLike, bodyFun: (i: Tensor, value: V) => V, initVal: V): V {
  const entered = takeApart(initVal);
  const step = (i: Tensor, xs: Tensors): Tensors => carryOf(bodyFun(i, entered.pack(xs) as V), entered, "foriLoop");
  const first = toTensor(lower, "int32");
  const start = settledCarry(entered, (xs) => step(first, xs));
  if (typeof lower === "number" && typeof upper === "number") {
    const length = Math.max(0, upper - lower);
    const counts = P.add(P.iota([length], 0, "int32"), first);
    const { carry } = loops.scan((xs, [i]) => ({ carry: step(i!, xs), results: [] }), start, [counts], { length });
    return entered.pack(carry) as V;
  }
  const end = toTensor(upper, "int32");
  const one = P.full([], 1, "int32");
  const [, ...carry] = loops.whileLoop(
    ([i]) => P.less(i!, end),
    ([i, ...xs]) => [P.add(i!, one), ...step(i!, xs)],
    [first, ...start],
  );
  return entered.pack(carry) as V;
}
