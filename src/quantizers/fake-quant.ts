import { toTensor } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { add, clip, divide, multiply, subtract } from "../ops/arithmetic.js";
import { axisOf } from "../ops/support.js";
import { withGradient } from "../ops/with-gradient.js";
import * as P from "../primitives/index.js";

export interface FakeQuantOptions {
  /** Bits of the integers that are imitated; 8 when left out. */
  readonly numBits?: number | undefined;
  /** Leaves out the lowest integer, so that the range is symmetric. */
  readonly narrowRange?: boolean | undefined;
  /** The axis of the channels, when every channel has its own range. */
  readonly axis?: number | null | undefined;
}

/**
 * `inputs` rounded to the levels that integers of `numBits` bits would have between `minVals` and `maxVals`, as floats. Gradients pass
 * where the inputs lie inside the range; those outside go to the bound they met.
 */
export const fakeQuantWithMinMaxVars = defineOp(
  "quantizers.FakeQuantWithMinMaxVars",
  (
    inputs: TensorLike,
    minVals: TensorLike,
    maxVals: TensorLike,
    { numBits = 8, narrowRange = false, axis = null }: FakeQuantOptions = {},
  ): Tensor => {
    const x = toTensor(inputs);
    const [low, high] = [toTensor(minVals), toTensor(maxVals)].map((v) =>
      P.cast(v, v.dtype === "float32" ? v.dtype : "float32"),
    ) as [Tensor, Tensor];
    const channels = axis === null ? null : axisOf(axis, x.ndim);
    const shape = x.shape.map((dim, i) => (i === channels ? dim : 1));
    // One bound for all may come with axes of size 1.
    const along = (v: Tensor): Tensor => (v.size === 1 ? P.reshape(v, []) : P.reshape(v, shape));
    const nudge = (a: Tensor, b: Tensor) => nudged(along(a), along(b), 2 ** numBits - 1, narrowRange ? 1 : 0);
    const [out] = withGradient(
      "fakeQuantWithMinMaxVars",
      [x, low, high],
      ([t, a, b]) => [P.cast(toLevels(P.cast(t!, "float32"), nudge(a!, b!)), x.dtype)],
      ([g], { inputs: [t, a, b] }) => {
        if (!g) return [null, null, null];
        const { min, max } = nudge(a!, b!);
        const at = P.cast(t!, "float32");
        const where = (condition: Tensor): Tensor => P.select(condition, g, P.full([], 0, g.dtype));
        return [
          where(P.logicalAnd(P.greaterEqual(at, min), P.lessEqual(at, max))),
          total(where(P.lessEqual(at, min)), a!, channels),
          total(where(P.greaterEqual(at, max)), b!, channels),
        ];
      },
    );
    return out!;
  },
);

interface Nudged {
  readonly min: Tensor;
  readonly max: Tensor;
  /** Width of a level, and its inverse. */
  readonly scale: Tensor;
  readonly inverse: Tensor;
}
/** The range moved so that zero is one of its levels (Jacob et al. 2018, "Quantization and Training of Neural Networks", section 3). */
function nudged(low: Tensor, high: Tensor, quantMax: number, quantMin: number): Nudged {
  const range = subtract(high, low);
  const scale = divide(range, quantMax - quantMin);
  const zero = P.round(clip(subtract(quantMin, divide(low, scale)), quantMin, quantMax));
  return {
    min: multiply(subtract(quantMin, zero), scale),
    max: multiply(subtract(quantMax, zero), scale),
    scale,
    inverse: divide(quantMax - quantMin, range),
  };
}
function toLevels(x: Tensor, { min, max, scale, inverse }: Nudged): Tensor {
  const zero = P.floor(add(multiply(P.negative(min), inverse), 0.5));
  const level = subtract(multiply(subtract(clip(x, min, max), min), inverse), zero);
  return multiply(P.floor(add(level, 0.5)), scale);
}
/** The sum over all that one bound is for, in the bound's shape. */
function total(g: Tensor, bound: Tensor, channels: number | null): Tensor {
  const axes = g.shape.map((_, i) => i).filter((i) => bound.size === 1 || i !== channels);
  return P.cast(P.reshape(P.sum(g, axes), bound.shape), bound.dtype);
}
