import { configure } from "../config/configure.js";
import { any, derived, float, bool, oneOf, optional, type Options } from "../config/fields.js";
import { type Shape, standardizeDType } from "../core/dtype.js";
import { toTensor } from "../core/convert.js";
import { floatx } from "../core/settings.js";
import { type Tensor, tensor, type TensorLike } from "../core/tensor.js";
import { diagonalPart, identity } from "../primitives/matrix.js";
import * as P from "../primitives/index.js";
import * as random from "../random/random.js";
import type { Seed } from "../random/seed-generator.js";
import { Initializer, type InitializerCallOptions, RandomInitializer } from "./initializer.js";
import { savedArray, writtenArray } from "./constant.js";
import { windowNamed } from "./windows.js";

const product = (shape: Shape): number => shape.reduce((n, d) => n * d, 1);

const identityFields = {
  /** Factor of the matrix. Python Keras does not save it. */
  gain: float(1, { saved: false }),
};
/** The identity matrix times `gain`; rectangular weights have zeros beyond it. */
export class Identity extends configure(Initializer, "Identity", identityFields) {
  constructor(options: Options<typeof identityFields> = {}) {
    super(options);
  }
  override call(shape: Shape, { dtype }: InitializerCallOptions): Tensor {
    if (shape.length !== 2) throw new RangeError(`Identity initializes matrices only. Received shape [${shape}].`);
    const [m, n] = shape as [number, number];
    const target = standardizeDType(dtype, floatx());
    const size = Math.max(m, n);
    const square = P.multiply(identity(size, target), P.full([], this.gain, target));
    return P.slice(square, [0, 0], [m, n]);
  }
}

const orthogonalFields = { gain: float(1) };
export interface OrthogonalOptions extends Options<typeof orthogonalFields> {
  seed?: Seed | undefined;
}
/**
 * A matrix with orthonormal columns (or rows, where there are fewer) times `gain`, uniform among them: Q of the QR decomposition of normal
 * numbers (Saxe, McClelland & Ganguli, 2014). All axes but the last count as rows.
 */
export class Orthogonal extends configure(RandomInitializer, "Orthogonal", orthogonalFields) {
  constructor(options: OrthogonalOptions = {}) {
    super(options);
  }
  override call(shape: Shape, { dtype }: InitializerCallOptions): Tensor {
    if (shape.length < 2)
      throw new RangeError(`Orthogonal initializes weights of rank 2 or more. Received shape [${shape}].`);
    const [rows, columns] = [product(shape.slice(0, -1)), shape.at(-1)!];
    const tall = [Math.max(rows, columns), Math.min(rows, columns)];
    const drawn = random.normal(tall, { seed: this.drawSeed, dtype });
    const [q, r] = P.qr(P.cast(drawn, "float32"));
    // Signs that make the decomposition, and with it the distribution, unique.
    const unique = P.multiply(q, P.sign(P.sum(diagonalPart(r), [0])));
    const matrix = rows < columns ? P.transpose(unique, [1, 0]) : unique;
    return P.cast(P.multiply(P.reshape(matrix, shape), P.full([], this.gain, "float32")), drawn.dtype);
  }
}

const stftFields = {
  /** Whether the kernel gives the real or the imaginary part. */
  side: oneOf(["real", "imag"], "real"),
  /** Name of a window function, its values, or null. */
  window: derived(
    any<string | TensorLike | null>("hann"),
    (value, name) => {
      if (typeof value === "string") windowNamed(value, 1, false);
      return savedArray(value, name);
    },
    writtenArray,
  ),
  /** Whether the window repeats after its last value. */
  periodic: bool(false),
  /** What the window is divided by: its Euclidean length ("density"), its sum ("spectrum"), or nothing. */
  scaling: optional(oneOf(["density", "spectrum"]), "density"),
};
/** Kernel [frame length, 1, frequencies] of a 1-D convolution that computes one part of a short-time Fourier transform. */
export class STFT extends configure(Initializer, "STFT", stftFields) {
  constructor(options: Options<typeof stftFields> = {}) {
    super(options);
  }
  override call(shape: Shape, { dtype }: InitializerCallOptions): Tensor {
    if (shape.length !== 3)
      throw new RangeError(`STFT initializes kernels [frame length, 1, frequencies]. Received shape [${shape}].`);
    const target = standardizeDType(dtype, floatx());
    const [frame, , frequencies] = shape as [number, number, number];
    const number = (value: number): Tensor => P.full([], value, target);
    const frequency = P.divide(P.iota([1, 1, frequencies], 2, target), number((frequencies - 1) * 2));
    const time = P.iota([frame, 1, 1], 0, target);
    const phase = P.multiply(P.multiply(P.multiply(number(-2), time), frequency), number(Math.PI));
    const kernel = this.side === "real" ? P.cos(phase) : P.sin(phase);
    const { window } = this;
    if (window === null) return kernel;
    const values = typeof window === "string" ? tensor(windowNamed(window, frame, this.periodic)) : toTensor(window);
    if (values.ndim !== 1 || values.shape[0] !== frame)
      throw new RangeError(`\`STFT.window\` must hold ${frame} values. Received shape [${values.shape}].`);
    const weights = P.reshape(P.cast(values, target), [frame, 1, 1]);
    const weighted = P.multiply(kernel, weights);
    if (this.scaling === null) return weighted;
    const total =
      this.scaling === "density"
        ? P.sqrt(P.sum(P.multiply(weights, weights), [0, 1, 2]))
        : P.sum(P.abs(weights), [0, 1, 2]);
    return P.divide(weighted, total);
  }
}
