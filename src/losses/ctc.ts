import { toTensor } from "../core/convert.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { ctcLoss } from "../ops/ctc-loss.js";
import { cast } from "../ops/elementwise.js";
import { notEqual } from "../ops/logic.js";
import { sum } from "../ops/reductions.js";
import * as P from "../primitives/index.js";
import { functionLoss } from "./function-loss.js";

/** Connectionist temporal classification (Graves et al., 2006): targets [batch, length] padded with 0, logits [batch, frames, classes]. */
export function ctc(yTrue: TensorLike, yPred: TensorLike): Tensor {
  const [t, p] = [toTensor(yTrue), toTensor(yPred)];
  if (t.ndim !== 2 || p.ndim !== 3)
    throw new RangeError(
      `ctc expects targets [batch, length] and logits [batch, frames, classes]. Received shapes [${t.shape}] and [${p.shape}].`,
    );
  const lengths = sum(cast(notEqual(t, 0), "int32"), { axis: -1 });
  const frames = P.full([p.shape[0]!], p.shape[1]!, "int32");
  return ctcLoss(t, p, lengths, frames);
}

/** Connectionist temporal classification of sequences, with class 0 as the blank. */
export class CTC extends functionLoss("CTC", "ctc", ctc) {}
