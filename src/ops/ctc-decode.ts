import { resultType, toTensor } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { beamSearch } from "./ctc-beam-search.js";
import { constant } from "./support.js";

interface CtcDecodeOptions {
  /** Whether to take the best class of each frame, or to search for the most probable sequences. */
  strategy?: "greedy" | "beam_search" | undefined;
  /** How many prefixes the search keeps. */
  beamWidth?: number | undefined;
  /** How many sequences the search returns. */
  topPaths?: number | undefined;
  /** Whether the greedy strategy joins equal neighbours. */
  mergeRepeated?: boolean | undefined;
  /** Class of the blank; the last one when null. */
  maskIndex?: number | null | undefined;
}

/** The best class of each frame, without blanks: labels [1, b, t], filled up with -1, and negated sums of scores [b, 1]. */
function greedy(inputs: Tensor, lengths: Tensor, blank: number, mergeRepeated: boolean): [Tensor, Tensor] {
  const [batch, frames] = inputs.shape as [number, number, number];
  const none = P.full([], -1, "int32");
  const places = P.iota([1, frames], 1, "int32");
  const isInside = P.less(places, P.reshape(lengths, [batch, 1]));
  const classes = P.select(isInside, P.argMax(inputs, 2), P.full([], blank, "int32"));
  const before = P.pad(classes, { low: [0, 1], high: [0, -1], interior: [0, 0], value: -1 });
  const isLabel = P.notEqual(classes, P.full([], blank, "int32"));
  const isKept = mergeRepeated ? P.logicalAnd(isLabel, P.notEqual(classes, before)) : isLabel;
  const labels = P.select(isKept, classes, none);
  // Labels in order, then the frames without one.
  const order = P.argSort(P.select(isKept, places, P.full([], frames, "int32")), 1);
  const scores = P.select(isInside, P.max(inputs, [2]), constant(0, inputs));
  return [P.reshape(P.takeAlongAxis(labels, order, 1), [1, batch, frames]), P.negative(P.sum(scores, [1], true))];
}

/**
 * Label sequences [paths, batch, frames] of outputs [batch, frames, classes] of a network trained with `ctcLoss`, filled up with -1,
 * and their scores [batch, paths]: negated sums of the best outputs (greedy), or log-probabilities (beam search).
 */
export const ctcDecode = defineOp(
  "nn.CTCDecode",
  (
    inputs: TensorLike,
    sequenceLengths: TensorLike,
    { strategy = "greedy", beamWidth = 100, topPaths = 1, mergeRepeated = true, maskIndex = 0 }: CtcDecodeOptions = {},
  ): [labels: Tensor, scores: Tensor] => {
    const given = toTensor(inputs);
    if (given.ndim !== 3)
      throw new RangeError(`ctcDecode expects inputs [batch, frames, classes]. Received shape [${given.shape}].`);
    const scores = P.cast(given, resultType(given, P.full([], 0, "float32")));
    const lengths = toTensor(sequenceLengths, "int32");
    const blank = maskIndex ?? scores.shape[2]! - 1;
    if (strategy === "greedy") return greedy(scores, lengths, blank, mergeRepeated);
    if (strategy !== "beam_search")
      throw new TypeError(
        `ctcDecode: strategy must be "greedy" or "beam_search". Received: ${JSON.stringify(strategy)}.`,
      );
    if (topPaths > beamWidth)
      throw new RangeError(`ctcDecode: topPaths ${topPaths} must not exceed beamWidth ${beamWidth}.`);
    return beamSearch(scores, lengths, { beamWidth, topPaths, blank });
  },
);
