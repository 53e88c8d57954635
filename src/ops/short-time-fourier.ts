import { toTensor } from "../core/convert.js";
import { NDArray } from "../core/ndarray.js";
import { defineOp } from "../core/op.js";
import { fromHost, type Tensor, type TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { type ComplexPair, complexParts, inverseRealFft, realFft } from "./fourier.js";
import { constant } from "./support.js";

/** How a frame is weighted: by name, by weights of its length, or not at all. */
export type Window = "hann" | "hamming" | TensorLike | null;
interface StftOptions {
  window?: Window | undefined;
  /** Whether frames are centered on their times, the signal being reflected at its ends. */
  center?: boolean | undefined;
}
interface IstftOptions extends StftOptions {
  /** Length of the signal to return; by default all that is known. */
  length?: number | null | undefined;
}

/** Positions [frames, length] of the elements of overlapping frames. */
function framePositions(frames: number, length: number, stride: number): Tensor {
  const starts = P.multiply(P.iota([frames, 1], 0, "int32"), P.full([], stride, "int32"));
  return P.add(starts, P.iota([frames, length], 1, "int32"));
}
const framesIn = (signal: number, length: number, stride: number): number =>
  Math.max(0, Math.floor((signal - length) / stride) + 1);

function checkSizes(name: string, sizes: Readonly<Record<string, number>>): void {
  for (const [key, value] of Object.entries(sizes))
    if (!Number.isInteger(value) || value < 1)
      throw new RangeError(`${name}: ${key} must be a positive integer. Received: ${value}.`);
}

/** Frames [..., frames, sequenceLength] of the last axis, `sequenceStride` apart; what does not fill a frame is left out. */
export const extractSequences = defineOp(
  "math.ExtractSequences",
  (x: TensorLike, sequenceLength: number, sequenceStride: number): Tensor => {
    checkSizes("extractSequences", { sequenceLength, sequenceStride });
    const t = toTensor(x);
    const frames = framesIn(t.shape.at(-1)!, sequenceLength, sequenceStride);
    return P.take(t, framePositions(frames, sequenceLength, sequenceStride), t.ndim - 1);
  },
  { static: ["sequence_length", "sequence_stride"] },
);

const cosineWindows = { hann: 0.5, hamming: 0.54 };
/** The window [fftLength]: its weights in the middle, zeros around; null for none. */
function windowOf(window: Window, sequenceLength: number, fftLength: number, name: string): Tensor | null {
  if (window === null) return null;
  let weights: Tensor;
  if (typeof window === "string") {
    const a = cosineWindows[window];
    if (a === undefined)
      throw new TypeError(
        `${name}: window must be "hann", "hamming", a vector or null. Received: "${String(window)}".`,
      );
    const values = Float32Array.from({ length: sequenceLength }, (_, i) =>
      sequenceLength === 1 ? 1 : a - (1 - a) * Math.cos((2 * Math.PI * i) / sequenceLength),
    );
    weights = fromHost(new NDArray(values, [sequenceLength], "float32"));
  } else weights = toTensor(window, "float32");
  if (weights.ndim !== 1 || weights.shape[0] !== sequenceLength)
    throw new RangeError(
      `${name}: the window must have shape [sequenceLength] = [${sequenceLength}]. Received shape [${weights.shape}].`,
    );
  const left = Math.floor((fftLength - sequenceLength) / 2);
  const right = fftLength - sequenceLength - left;
  return P.pad(weights, { low: [left], high: [right], interior: [0], value: 0 });
}

/** `x` continued at both ends of its last axis by its mirror image, without repeating the ends. */
function reflected(x: Tensor, margin: number): Tensor {
  const n = x.shape.at(-1)!;
  const total = n + 2 * margin;
  if (Number.isNaN(n)) return P.take(x, P.full([total], 0, "int32"), x.ndim - 1);
  const period = Math.max(1, 2 * (n - 1));
  const positions = Int32Array.from({ length: total }, (_, i) => {
    const at = (((i - margin) % period) + period) % period;
    return at < n ? at : period - at;
  });
  return P.take(x, fromHost(new NDArray(positions, [total], "int32")), x.ndim - 1);
}

/**
 * Short-time Fourier transform of signals [..., n] in frames of `sequenceLength`, `sequenceStride` apart, each weighted and filled up
 * to `fftLength`: real and imaginary parts [..., frames, fftLength / 2 + 1].
 */
export const stft = defineOp(
  "math.STFT",
  (
    x: TensorLike,
    sequenceLength: number,
    sequenceStride: number,
    fftLength: number,
    { window = "hann", center = true }: StftOptions = {},
  ): [re: Tensor, im: Tensor] => {
    checkSizes("stft", { sequenceLength, sequenceStride, fftLength });
    if (fftLength < sequenceLength)
      throw new RangeError(`stft: fftLength ${fftLength} must be at least sequenceLength ${sequenceLength}.`);
    const t = toTensor(x);
    if (t.dtype !== "float32") throw new TypeError(`stft expects float32 signals. Received: ${t.dtype}.`);
    const weights = windowOf(window, sequenceLength, fftLength, "stft");
    const signal = center ? reflected(t, Math.floor(fftLength / 2)) : t;
    const frames = framesIn(signal.shape.at(-1)!, fftLength, sequenceStride);
    const framed = P.take(signal, framePositions(frames, fftLength, sequenceStride), signal.ndim - 1);
    return realFft(weights ? P.multiply(framed, weights) : framed, fftLength);
  },
  { static: ["sequence_length", "sequence_stride", "fft_length"] },
);

/** Sums of overlapping frames [..., frames, length], `stride` apart: [..., stride (frames - 1) + length]. */
function overlapAdd(frames: Tensor, stride: number): Tensor {
  const [count, length] = frames.shape.slice(-2) as [number, number];
  const lead = frames.shape.slice(0, -2);
  const rank = frames.ndim;
  const front = [rank - 2, rank - 1, ...lead.map((_, i) => i)];
  const positions = P.reshape(framePositions(count, length, stride), [count, length, 1]);
  const total = stride * (count - 1) + length;
  const added = P.scatter(P.full([total, ...lead], 0, frames.dtype), positions, P.transpose(frames, front), "add");
  return P.transpose(added, [...lead.map((_, i) => i + 1), 0]);
}

/** The signal whose short-time transform is closest to `x`, a pair of shape [..., frames, fftLength / 2 + 1]: the inverse of `stft`. */
export const istft = defineOp(
  "math.ISTFT",
  (
    x: ComplexPair,
    sequenceLength: number,
    sequenceStride: number,
    fftLength: number,
    { length = null, window = "hann", center = true }: IstftOptions = {},
  ): Tensor => {
    checkSizes("istft", { sequenceLength, sequenceStride, fftLength });
    if (fftLength < sequenceLength)
      throw new RangeError(`istft: fftLength ${fftLength} must be at least sequenceLength ${sequenceLength}.`);
    const [re, im] = complexParts(x, "istft");
    if (re.ndim < 2)
      throw new RangeError(`istft expects parts of shape [..., frames, frequencies]. Received shape [${re.shape}].`);
    const weights = windowOf(window, sequenceLength, fftLength, "istft");
    const frames = inverseRealFft(re, im, fftLength);
    const count = frames.shape.at(-2)!;
    const weighted = weights ? P.multiply(frames, weights) : frames;
    const power = weights ? P.multiply(weights, weights) : P.full([fftLength], 1, frames.dtype);
    const norms = overlapAdd(P.broadcastTo(power, [count, fftLength]), sequenceStride);
    const one = constant(1, norms);
    const summed = P.divide(
      overlapAdd(weighted, sequenceStride),
      P.select(P.greater(norms, constant(1e-10, norms)), norms, one),
    );
    // Without a window Keras scales by how many frames overlap.
    const signal = weights ? summed : P.multiply(summed, constant(fftLength / sequenceStride, summed));
    const total = signal.shape.at(-1)!;
    const margin = center ? Math.floor(fftLength / 2) : 0;
    const end =
      length === null ? total - margin : Number.isNaN(total) ? margin + length : Math.min(total, margin + length);
    return P.slice(signal, [...signal.shape.slice(0, -1).map(() => 0), margin], [...signal.shape.slice(0, -1), end]);
  },
  { static: ["sequence_length", "sequence_stride", "fft_length"] },
);
