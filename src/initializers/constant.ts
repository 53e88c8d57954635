import { deserializeKerasObject } from "../config/deserialize.js";
import { isEnvelope } from "../config/envelope.js";
import { any, derived, type Json, type Options } from "../config/fields.js";
import { serializeValue } from "../config/serialize.js";
import { configure } from "../config/configure.js";
import { toTensor } from "../core/convert.js";
import { type DType, type Shape, standardizeDType } from "../core/dtype.js";
import { floatx } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { Initializer, type InitializerCallOptions } from "./initializer.js";

const filled = (shape: Shape, value: number, dtype: DType | undefined): Tensor =>
  P.full(shape, value, standardizeDType(dtype, floatx()));

/** Fills with zeros. */
export class Zeros extends configure(Initializer, "Zeros", {}) {
  override call(shape: Shape, { dtype }: InitializerCallOptions): Tensor {
    return filled(shape, 0, dtype);
  }
}
/** Fills with ones. */
export class Ones extends configure(Initializer, "Ones", {}) {
  override call(shape: Shape, { dtype }: InitializerCallOptions): Tensor {
    return filled(shape, 1, dtype);
  }
}

/** An argument that may be an array, also in its saved form. */
export function savedArray<T>(value: T, _name: string): T {
  if (!isEnvelope(value)) return value;
  return deserializeKerasObject(value) as T;
}
/** The saved form of such an argument. */
export function writtenArray(value: unknown): Json {
  return serializeValue(value);
}

const constantFields = {
  /** The value, or an array that broadcasts to the shape. */
  value: derived(any<number | TensorLike>(0, { positional: true }), savedArray, writtenArray),
};
export interface ConstantOptions extends Options<typeof constantFields> {}
/** Fills with one value. */
export class Constant extends configure(Initializer, "Constant", constantFields) {
  constructor(value: number | TensorLike = 0) {
    super({ value });
  }
  override call(shape: Shape, { dtype }: InitializerCallOptions): Tensor {
    return P.broadcastTo(toTensor(this.value, standardizeDType(dtype, floatx())), shape);
  }
}
