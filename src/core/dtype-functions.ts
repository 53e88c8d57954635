import { promotionInput } from "./convert.js";
import { type DType, isDType, isInteger, standardizeDType } from "./dtype.js";
import { KerasTensor } from "./keras-tensor.js";
import { promote, type PromotionInput } from "./promotion.js";
import { floatx } from "./settings.js";
import type { TensorLike } from "./tensor.js";

/** The canonical name of a dtype; the default float dtype for null. Throws a TypeError for what is none. */
export const standardizeDtype = (dtype?: string | null): DType => standardizeDType(dtype, floatx());
/** Whether a dtype holds floats of any width. */
export const isFloatDtype = (dtype?: string | null): boolean => /^(float|bfloat)/.test(standardizeDtype(dtype));
/** Whether a dtype holds integers, with or without a sign. */
export const isIntDtype = (dtype?: string | null): boolean => isInteger(standardizeDtype(dtype));

/** A dtype, "int" or "float" for plain numbers that adapt to the others, or a value whose dtype counts. */
export type ResultTypeInput = DType | "int" | "float" | TensorLike | null;
/** The dtype that values of several dtypes promote to, by JAX's rules; 64 bits shrink to 32. Null counts as the default float dtype. */
export const resultType = (...dtypes: readonly ResultTypeInput[]): DType =>
  promote(dtypes.map(toPromotionInput), floatx());

function toPromotionInput(x: ResultTypeInput): PromotionInput {
  if (x === null) return floatx();
  if (typeof x !== "string") return promotionInput(x);
  return x === "int" || x === "float" || isDType(x) ? x : standardizeDtype(x);
}

/** Whether `x` is a symbolic tensor. */
export const isKerasTensor = (x: unknown): x is KerasTensor => x instanceof KerasTensor;
