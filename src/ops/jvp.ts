import { toTensor } from "../core/convert.js";
import { isDifferentiable } from "../core/dtype.js";
import { backward, vectorJacobianProduct } from "../core/gradient.js";
import { isSpecMode } from "../core/interpreter.js";
import { defineOp } from "../core/op.js";
import { Tape, withTape } from "../core/tape.js";
import { Tensor, type TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { flatten, packSequenceAs } from "../tree/index.js";
import { constant } from "./support.js";

const zerosLike = (x: Tensor): Tensor => P.full(x.shape, 0, x.dtype);
const isTensor = (x: unknown): x is Tensor => x instanceof Tensor;

/** Outputs of `run` and their derivatives along `tangents`. A reverse sweep is linear in its seeds; sweeping back through it transposes it. */
function derivative(
  run: (xs: readonly Tensor[]) => readonly Tensor[],
  inputs: readonly Tensor[],
  tangents: readonly Tensor[],
): { outputs: readonly Tensor[]; tangents: readonly Tensor[] } {
  if (isSpecMode()) {
    const outputs = run(inputs);
    return { outputs, tangents: outputs.map(zerosLike) };
  }
  const tape = new Tape();
  let seeds: readonly Tensor[] = [];
  const { outputs, gradients } = withTape(tape, () =>
    vectorJacobianProduct(
      () => run(inputs),
      inputs,
      (ys) => {
        seeds = ys.map(zerosLike);
        seeds.forEach((seed) => tape.watch(seed));
        return seeds;
      },
    ),
  );
  const reached = gradients.flatMap((g, i) => (g ? [{ g, tangent: tangents[i]! }] : []));
  const found = backward(
    tape,
    reached.map(({ g }) => g),
    reached.map(({ tangent }) => tangent),
    seeds,
  );
  return { outputs, tangents: outputs.map((y, i) => found[i] ?? zerosLike(y)) };
}

/**
 * The value of `fun(...primals)` and its derivative along `tangents`, which have the structure of the primals.
 * With `hasAux`, `fun` returns [value, auxiliary data], and the auxiliary data comes third. Loops of unknown length have no derivative.
 */
export const jvp = defineOp(
  "linalg.JVP",
  (
    fun: (...args: never[]) => unknown,
    primals: readonly unknown[],
    tangents: readonly unknown[],
    { hasAux = false }: { hasAux?: boolean | undefined } = {},
  ): [primalsOut: unknown, tangentsOut: unknown, aux?: unknown] => {
    const seen = new Set<Tensor>();
    const inputs = flatten(primals).map((leaf) => {
      const x = toTensor(leaf as TensorLike);
      // Each primal is a variable of its own, even when one tensor is given twice.
      const own = seen.has(x) ? P.multiply(x, constant(1, x)) : x;
      seen.add(own);
      return own;
    });
    const along: unknown[] = flatten(tangents);
    if (along.length !== inputs.length)
      throw new TypeError(`jvp expects one tangent for each of ${inputs.length} primals. Received: ${along.length}.`);
    const directions = inputs.map((x, i) => {
      const direction = toTensor(along[i] as TensorLike, isDifferentiable(x.dtype) ? x.dtype : null);
      if (direction.shape.length !== x.shape.length || direction.shape.some((d, axis) => d !== x.shape[axis]))
        throw new TypeError(`jvp: tangent ${i} has shape [${direction.shape}], its primal has shape [${x.shape}].`);
      return direction;
    });
    let value: unknown;
    let aux: unknown;
    const run = (xs: readonly Tensor[]): Tensor[] => {
      const result = fun(...(packSequenceAs(primals, xs) as never[]));
      [value, aux] = hasAux ? (result as [unknown, unknown]) : [result, undefined];
      return flatten(value).filter(isTensor);
    };
    const { tangents: found } = derivative(run, inputs, directions);
    let next = 0;
    const tangentsOut = packSequenceAs(
      value,
      flatten(value).map((leaf) => (isTensor(leaf) ? found[next++] : 0)),
    );
    return hasAux ? [value, tangentsOut, aux] : [value, tangentsOut];
  },
);
