import { cast, full } from "../primitives/index.js";
import { PyFloat } from "../utils/py-float.js";
import { type DType, shrink } from "./dtype.js";
import { foreignDType, isForeignArray } from "./foreign.js";
import { KerasTensor } from "./keras-tensor.js";
import { type ArrayLikeData, NDArray } from "./ndarray.js";
import { promote, type PromotionInput } from "./promotion.js";
import { floatx } from "./settings.js";
import { fromData, Tensor, type TensorLike } from "./tensor.js";
import { Variable } from "./variable.js";

/** What an operand contributes to promotion: its dtype, or the weak type of a plain number. */
export function promotionInput(x: TensorLike | PyFloat): PromotionInput {
  if (typeof x === "number") return Number.isInteger(x) ? "int" : "float";
  if (typeof x === "boolean") return "bool";
  if (typeof x === "bigint") return "int";
  if (x instanceof PyFloat) return "float";
  if (x instanceof Tensor || x instanceof Variable || x instanceof KerasTensor) return x.dtype;
  return isForeignArray(x) ? foreignDType(x) : NDArray.from(x as ArrayLikeData).dtype;
}

/** The dtype that holds all operands, by JAX's promotion rules. */
export const resultType = (...xs: readonly (TensorLike | PyFloat)[]): DType =>
  promote(xs.map(promotionInput), floatx());

/** `x` as a tensor, converted to `dtype` when that is given. A symbolic tensor is a TypeError: it has no values. */
export function toTensor(x: TensorLike | PyFloat, dtype?: DType | null): Tensor {
  const target = dtype ? shrink(dtype) : null;
  if (x instanceof Tensor) return target ? cast(x, target) : x;
  if (x instanceof Variable) return target ? cast(x.value, target) : x.value;
  if (typeof x === "number" || typeof x === "boolean" || typeof x === "bigint" || x instanceof PyFloat) {
    return full([], Number(x instanceof PyFloat ? x.value : x), target ?? resultType(x));
  }
  if (x instanceof KerasTensor) {
    throw new TypeError(
      `Expected a tensor with values. Received the symbolic ${x.name} of shape [${x.shape.map(String).join(", ")}]. Use keras.ops or a layer to compute with it.`,
    );
  }
  const tensor = fromData(x as ArrayLikeData);
  return target ? cast(tensor, target) : tensor;
}

const isOperandOrNumber = (x: TensorLike | PyFloat): boolean =>
  typeof x !== "object" ||
  x instanceof Tensor ||
  x instanceof Variable ||
  x instanceof KerasTensor ||
  x instanceof PyFloat;

/** Whether all are tensors of one dtype, which is what they promote to. */
function haveOneDType(xs: readonly unknown[]): xs is readonly Tensor[] {
  const [first] = xs;
  if (!(first instanceof Tensor) || shrink(first.dtype) !== first.dtype) return false;
  for (const x of xs) if (!(x instanceof Tensor) || x.dtype !== first.dtype) return false;
  return true;
}

/** Operands as tensors of their common dtype (or of `dtype`). Plain numbers adapt to the others; arrays count with their own dtype. */
export function promoted(xs: readonly (TensorLike | PyFloat)[], dtype?: DType | null): Tensor[] {
  if (!dtype && haveOneDType(xs)) return [...xs];
  const operands = xs.map((x) => (isOperandOrNumber(x) ? x : toTensor(x)));
  const target = dtype ?? resultType(...operands);
  return operands.map((x) => toTensor(x, target));
}
