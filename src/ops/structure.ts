import { defineOp } from "../core/op.js";
import { toTensor } from "../core/convert.js";
import { isSpecMode } from "../core/interpreter.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { productOf } from "./support.js";

/** A plain number; for symbolic tensors a symbolic int32 scalar. */
const known = (n: number): number | Tensor => (isSpecMode() ? P.full([], n, "int32") : n);
/** Number of axes. */
export const ndim = defineOp("numpy.Ndim", (x: TensorLike): number | Tensor => known(toTensor(x).ndim));
/** Number of elements. */
export const size = defineOp("numpy.Size", (x: TensorLike): number | Tensor => known(productOf(toTensor(x).shape)));
