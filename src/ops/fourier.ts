import { toTensor } from "../core/convert.js";
import { isFloat } from "../core/dtype.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { constant, toFloat } from "./support.js";

/** Complex values as Keras passes them: real and imaginary parts of one shape. */
export type ComplexPair = readonly [re: TensorLike, im: TensorLike];

/** The checked parts of a complex argument, as float32. */
export function complexParts(x: ComplexPair, name: string): [re: Tensor, im: Tensor] {
  if (!Array.isArray(x) || x.length !== 2)
    throw new TypeError(`${name} expects a pair of real and imaginary parts. Received: ${String(x)}.`);
  const [re, im] = [toTensor(x[0] as TensorLike), toTensor(x[1] as TensorLike)];
  if (!isFloat(re.dtype) || !isFloat(im.dtype))
    throw new TypeError(`${name} expects real and imaginary parts of floats. Received: ${re.dtype} and ${im.dtype}.`);
  if (re.ndim !== im.ndim || re.shape.some((d, i) => d !== im.shape[i] && !Number.isNaN(d + im.shape[i]!)))
    throw new RangeError(
      `${name} expects real and imaginary parts of one shape. Received shapes [${re.shape}] and [${im.shape}].`,
    );
  return [P.cast(re, "float32"), P.cast(im, "float32")];
}

/** Transforms along the last axis but `back`. */
function along([re, im]: readonly [Tensor, Tensor], back: number, inverse: boolean): [Tensor, Tensor] {
  const last = re.ndim - 1;
  const order = re.shape.map((_, i) => i);
  [order[last], order[last - back]] = [order[last - back]!, order[last]!];
  const [a, b] = P.fft(P.transpose(re, order), P.transpose(im, order), inverse);
  return [P.transpose(a, order), P.transpose(b, order)];
}

/** Discrete Fourier transform along the last axis. */
export const fft = defineOp("math.FFT", (x: ComplexPair): [re: Tensor, im: Tensor] =>
  along(complexParts(x, "fft"), 0, false),
);
const planar = (x: ComplexPair, name: string, inverse: boolean): [Tensor, Tensor] => {
  const parts = complexParts(x, name);
  if (parts[0].ndim < 2)
    throw new RangeError(`${name} expects tensors of at least two axes. Received shape [${parts[0].shape}].`);
  return along(along(parts, 0, inverse), 1, inverse);
};
/** Discrete Fourier transform along the last two axes. */
export const fft2 = defineOp("math.FFT2", (x: ComplexPair): [re: Tensor, im: Tensor] => planar(x, "fft2", false));
/** The inverse of `fft2`. */
export const ifft2 = defineOp("math.IFFT2", (x: ComplexPair): [re: Tensor, im: Tensor] => {
  const [re, im] = planar(x, "ifft2", true);
  const scale = constant(1 / (re.shape.at(-1)! * re.shape.at(-2)!), re);
  return [P.multiply(re, scale), P.multiply(im, scale)];
});

const part = (x: Tensor, from: number, to: number): Tensor =>
  P.slice(x, [...x.shape.slice(0, -1).map(() => 0), from], [...x.shape.slice(0, -1), to]);
/** `x` with its last axis cut, or filled up with zeros, to `size`. */
function resized(x: Tensor, size: number): Tensor {
  const n = x.shape.at(-1)!;
  if (n === size) return x;
  const none = x.shape.map(() => 0);
  return n > size
    ? part(x, 0, size)
    : P.pad(x, { low: none, high: [...none.slice(1), size - n], interior: none, value: 0 });
}
const lengthOf = (fftLength: number | null, fallback: number, name: string): number => {
  if (fftLength === null) return fallback;
  if (!Number.isInteger(fftLength) || fftLength < 1)
    throw new RangeError(`${name}: fftLength must be a positive integer. Received: ${fftLength}.`);
  return fftLength;
};

/** The non-negative frequencies of the transform of real signals, by real and imaginary parts of shape [..., n / 2 + 1]. */
export function realFft(x: Tensor, n: number): [re: Tensor, im: Tensor] {
  const t = resized(x, n);
  const [re, im] = P.fft(t, P.full(t.shape, 0, t.dtype), false);
  const half = Math.floor(n / 2) + 1;
  return [part(re, 0, half), part(im, 0, half)];
}
/** Discrete Fourier transform of real tensors along the last axis, cut or filled up with zeros to `fftLength`: [..., fftLength / 2 + 1]. */
export const rfft = defineOp(
  "math.RFFT",
  (x: TensorLike, { fftLength = null }: { fftLength?: number | null | undefined } = {}): [re: Tensor, im: Tensor] => {
    const t = P.cast(toFloat(x), "float32");
    return realFft(t, lengthOf(fftLength, t.shape.at(-1)!, "rfft"));
  },
);

/** Real signals [..., n] from their non-negative frequencies. */
export function inverseRealFft(re: Tensor, im: Tensor, n: number): Tensor {
  const half = Math.floor(n / 2) + 1;
  const mirrored = (t: Tensor): Tensor => P.reverse(part(t, 1, n - half + 1), [t.ndim - 1]);
  const [a, b] = [resized(re, half), resized(im, half)];
  const last = a.ndim - 1;
  const [signal] = P.fft(
    P.concatenate([a, mirrored(a)], last),
    P.concatenate([b, P.negative(mirrored(b))], last),
    true,
  );
  return P.multiply(signal, constant(1 / n, signal));
}
/** The inverse of `rfft`: real tensors [..., fftLength], by default of length 2 (m - 1) for m frequencies. */
export const irfft = defineOp(
  "math.IRFFT",
  (x: ComplexPair, { fftLength = null }: { fftLength?: number | null | undefined } = {}): Tensor => {
    const [re, im] = complexParts(x, "irfft");
    return inverseRealFft(re, im, lengthOf(fftLength, 2 * (re.shape.at(-1)! - 1), "irfft"));
  },
);
