import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { toFloat } from "./support.js";

/** 1 - erf(x), exact to float32 also where erf(x) is nearly 1. */
export const erfc = defineOp("math.Erfc", (x: TensorLike): Tensor => P.erfc(toFloat(x)));
