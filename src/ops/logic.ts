import { promoted, toTensor } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { nonzero } from "./selecting.js";

type Fn2 = (x: Tensor, y: Tensor) => Tensor;
const compare =
  (fn: Fn2) =>
  (x1: TensorLike, x2: TensorLike): Tensor => {
    const [x, y] = promoted([x1, x2]);
    return fn(x!, y!);
  };
const logical =
  (fn: Fn2) =>
  (x1: TensorLike, x2: TensorLike): Tensor =>
    fn(toTensor(x1, "bool"), toTensor(x2, "bool"));

/** Whether elements are equal, NaN never; bool, the two broadcast. */
export const equal = defineOp("numpy.Equal", compare(P.equal));
/** Whether elements differ, NaN always; bool, the two broadcast. */
export const notEqual = defineOp("numpy.NotEqual", compare(P.notEqual));
/** Whether `x1 < x2`; bool, the two broadcast. */
export const less = defineOp("numpy.Less", compare(P.less));
/** Whether `x1 <= x2`; bool, the two broadcast. */
export const lessEqual = defineOp("numpy.LessEqual", compare(P.lessEqual));
/** Whether `x1 > x2`; bool, the two broadcast. */
export const greater = defineOp("numpy.Greater", compare(P.greater));
/** Whether `x1 >= x2`; bool, the two broadcast. */
export const greaterEqual = defineOp("numpy.GreaterEqual", compare(P.greaterEqual));
/** Whether both elements are other than zero; bool, the two broadcast. */
export const logicalAnd = defineOp("numpy.LogicalAnd", logical(P.logicalAnd));
/** Whether at least one of the elements is other than zero; bool, the two broadcast. */
export const logicalOr = defineOp("numpy.LogicalOr", logical(P.logicalOr));
/** Whether exactly one of the elements is other than zero; bool, the two broadcast. */
export const logicalXor = defineOp("numpy.LogicalXor", logical(P.logicalXor));
/** Whether elements are zero; bool. */
export const logicalNot = defineOp("numpy.LogicalNot", (x: TensorLike): Tensor => P.logicalNot(toTensor(x, "bool")));
/** `x1` where `condition` holds, else `x2`, the three broadcast; without both the positions where it holds, as `nonzero`. */
export const where = defineOp("numpy.Where", ((
  condition: TensorLike,
  x1: TensorLike | null = null,
  x2: TensorLike | null = null,
): Tensor | Tensor[] => {
  if (x1 === null && x2 === null) return nonzero(condition);
  if (x1 === null || x2 === null)
    throw new TypeError("where: give both values, or none for the positions where the condition holds.");
  const [x, y] = promoted([x1, x2]);
  return P.select(toTensor(condition, "bool"), x!, y!);
}) as { (condition: TensorLike, x1: TensorLike, x2: TensorLike): Tensor; (condition: TensorLike): Tensor[] });
