import type { Tensor, TensorLike } from "../core/tensor.js";
import { multiply } from "../ops/arithmetic.js";
import { tanh } from "../ops/elementwise.js";
import { softplus } from "../ops/smooth-activations.js";

/** x · tanh(softplus(x)) (Misra, 2019). */
export const mish = (x: TensorLike): Tensor => multiply(x, tanh(softplus(x)));
