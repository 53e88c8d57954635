/**
 * Train steps written by hand in calls of TensorFlow.js's WebAssembly kernels, with hand-written gradients and Adam: what a step costs
 * there without any layers, tapes or tracing. Each call uses the fastest kernel there is for the purpose.
 */
import * as tf from "@tensorflow/tfjs-core";

type Tensor = tf.Tensor;

/** Runs a kernel; no gradients, no checks. */
const run = (kernel: string, inputs: object, attributes: object = {}): Tensor =>
  tf.engine().runKernel(kernel, inputs as tf.NamedTensorMap, attributes as tf.NamedAttrMap);
const reshape = (x: Tensor, shape: readonly number[]): Tensor => run("Reshape", { x }, { shape });
const transpose = (x: Tensor, perm: readonly number[]): Tensor => run("Transpose", { x }, { perm });
const make = (values: Float32Array, shape: readonly number[]): Tensor =>
  tf.keep(tf.engine().makeTensor(values, [...shape], "float32"));
const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

function matmul(a: Tensor, b: Tensor): Tensor {
  const [m, k, n] = [a.shape[0]!, a.shape[1]!, b.shape[1]!];
  const product = run(
    "BatchMatMul",
    { a: reshape(a, [1, m, k]), b: reshape(b, [1, k, n]) },
    { transposeA: false, transposeB: false },
  );
  return reshape(product, [m, n]);
}
/** Sums over rows, as a product with ones, which takes a tenth of the time of the kernel for sums. */
const columnSums = (x: Tensor): Tensor => {
  const ones = run("Fill", {}, { shape: [1, x.shape[0]!], value: 1, dtype: "float32" });
  return reshape(matmul(ones, x), [x.shape[1]!]);
};
const convolve = (x: Tensor, filter: Tensor, padding = 0): Tensor =>
  run(
    "Conv2D",
    { x, filter },
    {
      strides: [1, 1],
      pad: [
        [0, 0],
        [padding, padding],
        [padding, padding],
        [0, 0],
      ],
      dataFormat: "NHWC",
      dilations: [1, 1],
    },
  );
/** Gradient of a convolution in its kernel: one with channels and batch exchanged. */
const kernelGradient = (x: Tensor, g: Tensor): Tensor =>
  transpose(convolve(transpose(x, [3, 1, 2, 0]), transpose(g, [1, 2, 0, 3])), [1, 2, 0, 3]);
/** Gradient of a convolution in its image: one with the kernel turned around. */
const imageGradient = (g: Tensor, kernel: Tensor): Tensor =>
  convolve(g, transpose(run("Reverse", { x: kernel }, { dims: [0, 1] }), [0, 1, 3, 2]), kernel.shape[0]! - 1);
const withBiasAndRelu = (x: Tensor, bias: Tensor): Tensor => run("Relu", { x: run("Add", { a: x, b: bias }) });
/** `g` where `y`, the result of a relu, is positive. */
const reluGradient = (g: Tensor, y: Tensor): Tensor =>
  run("Multiply", { a: g, b: run("Step", { x: y }, { alpha: 0 }) });

/** The mean crossentropy of softmax(logits) and its gradient in the logits. */
function crossEntropy(logits: Tensor, labels: Tensor): { loss: Tensor; gradient: Tensor } {
  const batch = logits.shape[0]!;
  const p = run("Softmax", { logits }, { dim: 1 });
  // The kernel for one-hot rows writes integers, whatever type is asked for.
  const hot = run("OneHot", { indices: labels }, { depth: 10, onValue: 1, offValue: 0, dtype: "int32" });
  const wanted = run("Cast", { x: hot }, { dtype: "float32" });
  const count = make(Float32Array.of(batch), []);
  const likelihood = run("Sum", { x: run("Multiply", { a: p, b: wanted }) }, { axis: [1], keepDims: false });
  const total = run("Sum", { x: run("Log", { x: likelihood }) }, { axis: [0], keepDims: false });
  const gradient = run("RealDiv", { a: run("Sub", { a: p, b: wanted }), b: count });
  const loss = run("RealDiv", { a: run("Neg", { x: total }), b: count });
  count.dispose();
  return { loss, gradient };
}

/** Adam (Kingma and Ba, 2014) on variables that it replaces. */
class Adam {
  private step = 0;
  private readonly slots: { m: Tensor; v: Tensor }[];
  private readonly constants = {
    m: make(Float32Array.of(0.1), []),
    v: make(Float32Array.of(0.001), []),
    epsilon: make(Float32Array.of(1e-7), []),
  };
  constructor(private readonly variables: Tensor[]) {
    const zeros = ({ shape }: Tensor): Tensor => make(new Float32Array(sizeOf(shape)), shape);
    this.slots = variables.map((x) => ({ m: zeros(x), v: zeros(x) }));
  }
  apply(gradients: readonly Tensor[]): void {
    const t = ++this.step;
    const rate = make(Float32Array.of((0.001 * Math.sqrt(1 - 0.999 ** t)) / (1 - 0.9 ** t)), []);
    const towards = (a: Tensor, b: Tensor, factor: Tensor): Tensor =>
      run("Add", { a, b: run("Multiply", { a: run("Sub", { a: b, b: a }), b: factor }) });
    gradients.forEach((g, i) => {
      const { m, v } = this.slots[i]!;
      const next = {
        m: tf.keep(towards(m, g, this.constants.m)),
        v: tf.keep(towards(v, run("Square", { x: g }), this.constants.v)),
      };
      const scale = run("Add", { a: run("Sqrt", { x: next.v }), b: this.constants.epsilon });
      const change = run("RealDiv", { a: run("Multiply", { a: next.m, b: rate }), b: scale });
      const x = this.variables[i]!;
      this.variables[i] = tf.keep(run("Sub", { a: x, b: change }));
      for (const old of [x, m, v]) old.dispose();
      this.slots[i] = next;
    });
    rate.dispose();
  }
}

const mlp = (x: Tensor, labels: Tensor, [w1, b1, w2, b2, w3, b3]: readonly Tensor[]): [Tensor, Tensor[]] => {
  const h1 = withBiasAndRelu(matmul(x, w1!), b1!);
  const h2 = withBiasAndRelu(matmul(h1, w2!), b2!);
  const { loss, gradient: g3 } = crossEntropy(run("Add", { a: matmul(h2, w3!), b: b3! }), labels);
  const g2 = reluGradient(matmul(g3, transpose(w3!, [1, 0])), h2);
  const g1 = reluGradient(matmul(g2, transpose(w2!, [1, 0])), h1);
  const weights = (x: Tensor, g: Tensor): Tensor => matmul(transpose(x, [1, 0]), g);
  return [loss, [weights(x, g1), columnSums(g1), weights(h1, g2), columnSums(g2), weights(h2, g3), columnSums(g3)]];
};

const cnn = (x: Tensor, labels: Tensor, [k1, b1, k2, b2, w3, b3]: readonly Tensor[]): [Tensor, Tensor[]] => {
  const pooling = { filterSize: [2, 2], strides: [2, 2], pad: "valid", dimRoundingMode: null };
  const h1 = withBiasAndRelu(convolve(x, k1!), b1!);
  const pooled = run("MaxPool", { x: h1 }, pooling);
  const h2 = withBiasAndRelu(convolve(pooled, k2!), b2!);
  const [batch, height, width, channels] = h2.shape as [number, number, number, number];
  const count = make(Float32Array.of(height * width), []);
  const sum = run("Sum", { x: h2 }, { axis: [1, 2], keepDims: false });
  const mean = run("RealDiv", { a: sum, b: count });
  const { loss, gradient: g3 } = crossEntropy(run("Add", { a: matmul(mean, w3!), b: b3! }), labels);
  const share = run("RealDiv", { a: matmul(g3, transpose(w3!, [1, 0])), b: count });
  count.dispose();
  const g2 = reluGradient(reshape(share, [batch, 1, 1, channels]), h2);
  const unpooled = run("MaxPoolGrad", { dy: imageGradient(g2, k2!), input: h1, output: pooled }, pooling);
  const g1 = reluGradient(unpooled, h1);
  const bias = (g: Tensor): Tensor => columnSums(reshape(g, [g.size / g.shape.at(-1)!, g.shape.at(-1)!]));
  const dense = matmul(transpose(mean, [1, 0]), g3);
  return [loss, [kernelGradient(x, g1), bias(g1), kernelGradient(pooled, g2), bias(g2), dense, columnSums(g3)]];
};

interface Network {
  readonly step: (x: Tensor, labels: Tensor, variables: readonly Tensor[]) => [Tensor, Tensor[]];
  readonly input: readonly number[];
  readonly variables: readonly (readonly number[])[];
}
const networks: Readonly<Record<string, Network>> = {
  mlp: { step: mlp, input: [784], variables: [[784, 512], [512], [512, 512], [512], [512, 10], [10]] },
  cnn: { step: cnn, input: [28, 28, 1], variables: [[3, 3, 1, 32], [32], [3, 3, 32, 64], [64], [64, 10], [10]] },
};
const BATCH = 128;
const random = (shape: readonly number[], scale: number): Float32Array =>
  Float32Array.from({ length: sizeOf(shape) }, () => (2 * Math.random() - 1) * scale);

/** A function that trains the network by `steps` steps and gives the milliseconds and the loss of each. */
export function trainer(name: string): (steps: number) => { ms: number; loss: number }[] {
  const network = networks[name];
  if (!network) throw new Error(`There is no hand-written ${name}.`);
  const variables = network.variables.map((shape) =>
    make(
      shape.length === 1 ? new Float32Array(shape[0]!) : random(shape, Math.sqrt(3 / sizeOf(shape.slice(0, -1)))),
      shape,
    ),
  );
  const adam = new Adam(variables);
  return (steps) =>
    Array.from({ length: steps }, () => {
      const data = random([BATCH, ...network.input], 1.7);
      const labels = Int32Array.from({ length: BATCH }, () => Math.floor(Math.random() * 10));
      const start = performance.now();
      const loss = tf.tidy(() => {
        const x = tf.engine().makeTensor(data, [BATCH, ...network.input], "float32");
        const y = tf.engine().makeTensor(labels, [BATCH], "int32");
        const [value, gradients] = network.step(x, y, variables);
        adam.apply(gradients);
        return value.dataSync()[0]!;
      });
      return { ms: performance.now() - start, loss };
    });
}
