import { resultType, toTensor } from "../core/convert.js";
import { isSpecMode } from "../core/interpreter.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { logSoftmax } from "./activation.js";
import * as loops from "./loops.js";
import { constant } from "./support.js";

/** The logarithm of a probability of nothing: finite, so that a target that cannot be reached has a large loss and a gradient. */
const LOG_ZERO = -1e5;

/** log(Σ exp(x)) of tensors of one shape. */
function logSum(xs: readonly Tensor[]): Tensor {
  const highest = P.stopGradient(xs.reduce((a, b) => P.maximum(a, b)));
  const total = xs.map((x) => P.exp(P.subtract(x, highest))).reduce((a, b) => P.add(a, b));
  return P.add(P.log(total), highest);
}
/** `x` [b, s] moved `by` places to the right. */
const shifted = (x: Tensor, by: number): Tensor =>
  P.pad(x, { low: [0, by], high: [0, -by], interior: [0, 0], value: LOG_ZERO });
const column = (x: Tensor): Tensor => P.reshape(x, [x.shape[0]!, 1]);
/** `x` [b, s] at one position of each row. */
const at = (x: Tensor, positions: Tensor): Tensor =>
  P.reshape(P.takeAlongAxis(x, column(positions), 1, "clip"), [x.shape[0]!]);

/** Throws when `x` has another number of rows; all that Keras looks at while shapes are inferred. */
function requireBatch(x: Tensor, batch: number): void {
  const rows = x.shape[0] ?? 1;
  if (rows !== batch && !Number.isNaN(rows) && !Number.isNaN(batch))
    throw new RangeError(`ctcLoss: expected a batch of ${batch} throughout. Received shape [${x.shape}].`);
}

/** Labels [b, n] with the blank before, between and after them: [b, 2 n + 1]. */
function withBlanks(labels: Tensor, blank: number): Tensor {
  return P.pad(labels, { low: [0, 1], high: [0, 1], interior: [0, 1], value: blank });
}

/**
 * The negative log-probability [b] that frames of logits [b, t, classes] spell the targets [b, n], summed over all alignments (Graves
 * et al., 2006). Lengths [b] say how many targets and frames count.
 */
export const ctcLoss = defineOp(
  "nn.CTCLoss",
  (
    target: TensorLike,
    output: TensorLike,
    targetLength: TensorLike,
    outputLength: TensorLike,
    { maskIndex = 0 }: { maskIndex?: number | undefined } = {},
  ): Tensor => {
    const labels = toTensor(target, "int32");
    const given = toTensor(output);
    const logits = P.cast(given, resultType(given, P.full([], 0, "float32")));
    const [batch, frames] = logits.shape as [number, number];
    if (isSpecMode()) {
      for (const x of [labels, toTensor(targetLength), toTensor(outputLength)]) requireBatch(x, batch);
      return P.full([batch], 0, logits.dtype);
    }
    if (labels.ndim !== 2 || given.ndim !== 3)
      throw new RangeError(
        `ctcLoss expects targets [batch, n] and outputs [batch, frames, classes]. Received shapes [${labels.shape}] and [${given.shape}].`,
      );
    const [, n] = labels.shape as [number, number];
    const states = 2 * n + 1;
    const symbols = withBlanks(labels, maskIndex);
    const spread = P.broadcastTo(P.reshape(symbols, [batch, 1, states]), [batch, frames, states]);
    const scores = P.transpose(P.takeAlongAxis(logSoftmax(logits), spread, 2, "zero"), [1, 0, 2]);

    // A label may follow another directly unless it repeats it.
    const isLabel = P.equal(
      P.remainder(P.iota([1, states], 1, "int32"), P.full([], 2, "int32")),
      P.full([], 1, "int32"),
    );
    const twoBefore = P.pad(symbols, { low: [0, 2], high: [0, -2], interior: [0, 0], value: maskIndex });
    const maySkip = P.logicalAnd(isLabel, P.notEqual(symbols, twoBefore));
    const skipScore = P.select(maySkip, constant(0, scores), constant(LOG_ZERO, scores));

    const start = P.pad(P.full([batch, 1], 0, scores.dtype), {
      low: [0, 0],
      high: [0, states - 1],
      interior: [0, 0],
      value: LOG_ZERO,
    });
    const lengths = toTensor(outputLength, "int32");
    const counts = P.less(P.iota([frames, 1], 0, "int32"), P.reshape(lengths, [1, batch]));
    const { carry } = loops.scan(
      ([alpha], [score, isInside]) => {
        const reached = logSum([alpha!, shifted(alpha!, 1), P.add(shifted(alpha!, 2), skipScore)]);
        return { carry: [P.select(column(isInside!), P.add(reached, score!), alpha!)], results: [] };
      },
      [start],
      [scores, counts],
      { length: frames },
    );
    const last = carry[0]!;
    const size = P.minimum(toTensor(targetLength, "int32"), P.full([], n, "int32"));
    const end = P.multiply(size, P.full([], 2, "int32"));
    const inLabel = P.select(
      P.greater(size, P.full([], 0, "int32")),
      at(last, P.subtract(end, P.full([], 1, "int32"))),
      constant(LOG_ZERO, last),
    );
    return P.negative(logSum([at(last, end), inLabel]));
  },
);
