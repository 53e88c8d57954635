/**
 * Train steps written by hand in the calls that the jax engine makes of its ops, gradients and Adam included, all of it in one `jit`: what
 * a step costs on that engine without layers, traces, Programs and `fit`.
 */
import type { Array as JaxArray } from "@jax-js/jax";
import type { TensorSpec } from "../src/core/dtype.js";
import { compileFunction } from "../src/backend/jax/library.js";
import { loweringOf } from "../src/backend/jax/native/index.js";
import { divide, exp, log } from "../src/backend/jax/native/math.js";
import {
  type A,
  add,
  broadcastTo,
  cast,
  count,
  equal,
  less,
  like,
  max,
  maximum,
  multiply,
  plus,
  reshape,
  scale,
  sqrt,
  stored,
  subtract,
  sum,
  where,
} from "../src/backend/jax/ops.js";
import { BATCH, type Step, trainer as trainerOf } from "./jaxjs-training.js";

const spec = (shape: readonly number[]): TensorSpec => ({ shape, dtype: "float32" });
function run(op: string, inputs: readonly A[], attributes: object, shape: readonly number[]): A {
  const outputs = [spec(shape)];
  const lowering = loweringOf(
    op,
    inputs.map((x) => spec(x.shape)),
    attributes,
    outputs,
  );
  if (!lowering) throw new Error(`The jax engine does not run ${op} here.`);
  return lowering.lower(inputs, attributes, outputs)[0]!;
}
const dot = (x: A, y: A, from: number, against: number): A =>
  run("dot", [x, y], { contract: [[from], [against]], batch: [[], []] }, [x.shape[1 - from]!, y.shape[1 - against]!]);
const zero = (x: A): A => like(x, 0);
const relu = (x: A): A => maximum(x, zero(x));
/** `g` where `y`, the result of a relu, is positive. */
const reluGradient = (g: A, y: A): A => where(less(zero(y), y), g, zero(y));
const total = (x: A, axes: readonly number[]): A => run("sum", [x], { axes, keepdims: false }, [x.shape.at(-1)!]);

/** The mean crossentropy of softmax(logits) and its gradient in the logits. */
function crossEntropy(logits: A, labels: A): readonly [loss: A, gradient: A] {
  const shifted = subtract(logits, max(logits, [1], true));
  const powers = stored(exp(shifted));
  const sums = stored(sum(powers, [1], true));
  const hits = stored(cast(equal(count([1, 10], 1), reshape(labels, [BATCH, 1])), "float32"));
  const losses = multiply(hits, subtract(log(sums), shifted));
  return [scale(sum(losses, [0, 1]), 1 / BATCH), scale(subtract(divide(powers, sums), hits), 1 / BATCH)];
}

/** The loss and the gradients of the weights. */
type Backward = (weights: readonly A[], x: A, labels: A) => readonly [loss: A, gradients: readonly A[]];
function mlp([w1, b1, w2, b2, w3, b3]: readonly A[], x: A, labels: A): ReturnType<Backward> {
  const h1 = relu(add(dot(x, w1!, 1, 0), b1!));
  const h2 = relu(add(dot(h1, w2!, 1, 0), b2!));
  const [loss, g] = crossEntropy(add(dot(h2, w3!, 1, 0), b3!), labels);
  const g2 = reluGradient(dot(g, w3!, 1, 1), h2);
  const g1 = reluGradient(dot(g2, w2!, 1, 1), h1);
  const weight = (input: A, gradient: A): A => dot(input, gradient, 0, 0);
  return [loss, [weight(x, g1), total(g1, [0]), weight(h1, g2), total(g2, [0]), weight(h2, g), total(g, [0])]];
}
function cnn([k1, b1, k2, b2, w, b]: readonly A[], x: A, labels: A): ReturnType<Backward> {
  const bare = { strides: [1, 1], padding: [[0, 0], [0, 0]], dilation: [1, 1], groups: 1 }; // prettier-ignore
  const tiles = { window: [2, 2], strides: [2, 2], padding: [[0, 0], [0, 0]] }; // prettier-ignore
  const one = [BATCH, 26, 26, 32];
  const two = [BATCH, 11, 11, 64];
  const pool = [BATCH, 13, 13, 32];
  const y1 = relu(add(run("convolution", [x, k1!], bare, one), b1!));
  const pooled = run("maxPool", [y1], tiles, pool);
  const y2 = relu(add(run("convolution", [pooled, k2!], bare, two), b2!));
  const features = scale(sum(y2, [1, 2]), 1 / 121);
  const [loss, g] = crossEntropy(add(dot(features, w!, 1, 0), b!), labels);
  const spread = broadcastTo(reshape(scale(dot(g, w!, 1, 1), 1 / 121), [BATCH, 1, 1, 64]), two);
  const g2 = reluGradient(spread, y2);
  const gPooled = run("convolutionInputGradient", [g2, k2!], { ...bare, spatial: [13, 13] }, pool);
  const g1 = reluGradient(run("maxPoolGradient", [y1, gPooled], tiles, one), y1);
  const kernel = (input: A, gradient: A, shape: readonly number[]): A =>
    run("convolutionKernelGradient", [input, gradient], { ...bare, window: [3, 3] }, shape);
  return [
    loss,
    [
      kernel(x, g1, k1!.shape),
      total(g1, [0, 1, 2]),
      kernel(pooled, g2, k2!.shape),
      total(g2, [0, 1, 2]),
      dot(features, g, 0, 0),
      total(g, [0]),
    ],
  ];
}

/** Adam (Kingma & Ba, 2015) on weights, moments and the number of steps. */
function stepOf(backward: Backward): Step {
  const compiled = compileFunction((...inputs) => {
    const [x, y, ...state] = inputs as [A, A, ...A[]];
    const n = (state.length - 1) / 3;
    const [weights, m, v] = [state.slice(0, n), state.slice(n, 2 * n), state.slice(2 * n, 3 * n)];
    const [loss, gradients] = backward(weights, x, y);
    const steps = plus(state[3 * n]!, 1);
    const decayed = (rate: number): A => subtract(like(steps, 1), exp(scale(steps, Math.log(rate))));
    const rate = stored(scale(divide(sqrt(decayed(0.999)), decayed(0.9)), 1e-3));
    const nextM = m.map((old, i) => add(old, scale(subtract(gradients[i]!, old), 0.1)));
    const nextV = v.map((old, i) => add(old, scale(subtract(multiply(gradients[i]!, gradients[i]!), old), 0.001)));
    const next = weights.map((old, i) => subtract(old, divide(multiply(nextM[i]!, rate), plus(sqrt(nextV[i]!), 1e-7))));
    return [loss, ...next, ...nextM, ...nextV, steps].map((result) => result.ref as JaxArray);
  });
  return (state, x, y) => {
    const [loss, ...next] = compiled(x, y, ...state);
    return { loss: loss!, state: next };
  };
}

const backwards: Readonly<Record<string, Backward>> = { cnn, mlp };
export function trainer(workload: string): ReturnType<typeof trainerOf> {
  const backward = backwards[workload];
  if (!backward) throw new Error(`No train step by hand for ${workload}.`);
  return trainerOf(workload, stepOf(backward), Infinity);
}
