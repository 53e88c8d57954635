/**
 * Train steps of two networks written from primitives alone: what the compiler of the built-in engine makes of a Program, without the
 * layers above. Usage: tsx --conditions=source bench/steps.ts [cnn,mlp] [STEPS]; prints JSON lines {"workload", "ms", "min", "first_ms"}.
 */
import numpy from "../src/backend/numpy/index.js";
import { bindEngine } from "../src/core/engine.js";
import { valueAndGradients } from "../src/core/gradient.js";
import { jit } from "../src/core/jit.js";
import { NDArray, sizeOf } from "../src/core/ndarray.js";
import { fromHost, type Tensor, TensorScope } from "../src/core/tensor.js";
import { Variable } from "../src/core/variable.js";
import { relu } from "../src/ops/activation.js";
import * as p from "../src/primitives/index.js";

bindEngine(numpy);

let state = 1;
function noise(shape: readonly number[], scale: number): NDArray {
  const values = new Float32Array(sizeOf(shape));
  for (let i = 0; i < values.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    values[i] = (state / 2147483648) * scale;
  }
  return new NDArray(values, shape, "float32");
}
const weights = (...shape: number[]): Variable =>
  new Variable(fromHost(noise(shape, Math.sqrt(3 / sizeOf(shape.slice(0, -1))))));
const zeros = (shape: readonly number[]): Variable => new Variable(fromHost(NDArray.zeros(shape)));

const number = (value: number): Tensor => p.full([], value, "float32");

const dense = (x: Tensor, w: Variable, b: Variable): Tensor =>
  p.add(p.dot(x, w.value, { contract: [[1], [0]], batch: [[], []] }), b.value);
const conv = (x: Tensor, w: Variable, b: Variable): Tensor => {
  const padding = [
    [0, 0],
    [0, 0],
  ] as const;
  return p.add(p.convolution(x, w.value, { strides: [1, 1], padding, dilation: [1, 1], groups: 1 }), b.value);
};
const maxPool = (x: Tensor): Tensor =>
  p.maxPool(x, {
    window: [2, 2],
    strides: [2, 2],
    padding: [
      [0, 0],
      [0, 0],
    ],
  });
const globalAverage = (x: Tensor): Tensor => p.divide(p.sum(x, [1, 2]), number(x.shape[1]! * x.shape[2]!));

function crossEntropy(logits: Tensor, labels: Tensor): Tensor {
  const shifted = p.subtract(logits, p.stopGradient(p.max(logits, [1], true)));
  const logSum = p.log(p.sum(p.exp(shifted), [1], true));
  const oneHot = p.cast(p.equal(p.reshape(labels, [labels.shape[0]!, 1]), p.iota([1, 10], 1, "int32")), "float32");
  const loss = p.negative(p.sum(p.multiply(p.subtract(shifted, logSum), oneHot), [1]));
  return p.divide(p.sum(loss, [0]), number(labels.shape[0]!));
}

/** Adam as Keras writes it, with its iteration count. */
class Adam {
  private readonly iterations = new Variable(fromHost(NDArray.from(0, "int32")));
  private readonly slots: { readonly m: Variable; readonly v: Variable }[];
  constructor(private readonly variables: readonly Variable[]) {
    this.slots = variables.map(({ shape }) => ({ m: zeros(shape), v: zeros(shape) }));
  }
  apply(gradients: readonly Tensor[]): void {
    const step = p.add(this.iterations.value, p.full([], 1, "int32"));
    const t = p.cast(step, "float32");
    const correction = (beta: number): Tensor => p.subtract(number(1), p.power(number(beta), t));
    const rate = p.divide(p.multiply(number(0.001), p.sqrt(correction(0.999))), correction(0.9));
    this.variables.forEach((variable, i) => {
      const { m, v } = this.slots[i]!;
      const g = gradients[i]!;
      const m1 = p.add(m.value, p.multiply(p.subtract(g, m.value), number(0.1)));
      const v1 = p.add(v.value, p.multiply(p.subtract(p.multiply(g, g), v.value), number(0.001)));
      m.assign(m1);
      v.assign(v1);
      const change = p.divide(p.multiply(m1, rate), p.add(p.sqrt(v1), number(1e-7)));
      variable.assign(p.subtract(variable.value, change));
    });
    this.iterations.assign(step);
  }
}

interface Network {
  readonly input: readonly number[];
  readonly variables: readonly Variable[];
  readonly call: (x: Tensor) => Tensor;
}
const networks: Record<string, () => Network> = {
  cnn: () => {
    const v = [weights(3, 3, 1, 32), zeros([32]), weights(3, 3, 32, 64), zeros([64]), weights(64, 10), zeros([10])];
    const [w1, b1, w2, b2, w3, b3] = v as [Variable, Variable, Variable, Variable, Variable, Variable];
    const call = (x: Tensor): Tensor =>
      dense(globalAverage(relu(conv(maxPool(relu(conv(x, w1, b1))), w2, b2))), w3, b3);
    return { input: [28, 28, 1], variables: v, call };
  },
  mlp: () => {
    const v = [weights(784, 512), zeros([512]), weights(512, 512), zeros([512]), weights(512, 10), zeros([10])];
    const [w1, b1, w2, b2, w3, b3] = v as [Variable, Variable, Variable, Variable, Variable, Variable];
    return { input: [784], variables: v, call: (x) => dense(relu(dense(relu(dense(x, w1, b1)), w2, b2)), w3, b3) };
  },
};

const batch = 128;
const names = (process.argv[2] ?? "cnn,mlp").split(",");
const steps = Number(process.argv[3] ?? 60);
for (const name of names) {
  const { input, variables, call } = networks[name]!();
  const adam = new Adam(variables);
  const step = jit((x: Tensor, labels: Tensor) => {
    const values = variables.map((v) => v.value);
    const { value, gradients } = valueAndGradients(() => crossEntropy(call(x), labels), values);
    adam.apply(gradients);
    return value;
  });
  const x = noise([batch, ...input], 1);
  const labels = NDArray.from(Int32Array.from({ length: batch }, (_, i) => (i * 7) % 10));
  const times: number[] = [];
  const losses: number[] = [];
  for (let i = 0; i <= steps; i++) {
    const start = performance.now();
    using _scope = new TensorScope();
    const loss = step(fromHost(x), fromHost(labels));
    times.push(performance.now() - start);
    if (i % Math.ceil(steps / 3) === 0) losses.push(Number((numpy.toHost(loss.handle) as NDArray).numbers()[0]));
  }
  const [first, ...rest] = times;
  const sorted = rest.slice(Math.min(5, steps >> 1)).sort((a, b) => a - b);
  const figures = { workload: name, ms: sorted[sorted.length >> 1], min: sorted[0], first_ms: first, losses };
  console.log(JSON.stringify(figures, (_, v: unknown) => (typeof v === "number" ? Number(v.toFixed(4)) : v)));
}
