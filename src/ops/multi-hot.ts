import { toTensor } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import { floatx } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { oneHot, type OneHotOptions } from "./crossentropy.js";

/** 1 at every class index that occurs in a row, 0 elsewhere: the largest of the rows' one-hot codes. */
export const multiHot = defineOp(
  "nn.MultiHot",
  (inputs: TensorLike, numClasses: number, { axis = -1, dtype = null }: OneHotOptions = {}): Tensor => {
    if (!Number.isInteger(numClasses) || numClasses < 1)
      throw new TypeError(`multiHot: \`numClasses\` must be a positive integer. Received: ${numClasses}.`);
    const indices = toTensor(inputs, "int32");
    const codes = oneHot(indices, numClasses, { axis, dtype: dtype ?? floatx() });
    const over = [indices.ndim > 1 ? 1 : 0];
    return codes.dtype === "bool" ? P.any(codes, over) : P.max(codes, over);
  },
  { static: ["num_classes"] },
);
