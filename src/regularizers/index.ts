import { Configurable } from "../config/configurable.js";
import { configure } from "../config/configure.js";
import { float, objectField, oneOf } from "../config/fields.js";
import { makeLookup } from "../config/lookup.js";
import { toTensor } from "../core/convert.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { abs, add, divide, multiply, square, subtract } from "../ops/arithmetic.js";
import { matmul } from "../ops/matmul.js";
import { sum } from "../ops/reductions.js";
import { l2Normalize } from "../ops/normalization.js";
import { transpose } from "../ops/shape.js";
import { identity } from "../primitives/matrix.js";

/** A penalty on weights or activations: a function from a tensor to a scalar. */
export type RegularizerFunction = (x: Tensor) => Tensor;
export interface Regularizer {
  (x: TensorLike): Tensor;
}
/** Base of penalties that can be saved. */
export abstract class Regularizer extends configure(Configurable, "Regularizer", {}) {
  static override readonly module: string = "keras.regularizers";
  abstract call(x: Tensor): Tensor;
  protected override invoke(x: TensorLike): Tensor {
    return this.call(toTensor(x));
  }
}
/** The factor as Keras saves it: rounded to float32. */
const rounded = (value: number): number => Math.fround(value);

/** l1 · Σ|x|. */
export class L1 extends configure(Regularizer, "L1", { l1: float(0.01) }) {
  constructor({ l1 = 0.01 }: { l1?: number } = {}) {
    super({ l1: rounded(l1) });
  }
  override call(x: Tensor): Tensor {
    return multiply(this.l1, sum(abs(x)));
  }
}
/** l2 · Σx². */
export class L2 extends configure(Regularizer, "L2", { l2: float(0.01) }) {
  constructor({ l2 = 0.01 }: { l2?: number } = {}) {
    super({ l2 });
  }
  override call(x: Tensor): Tensor {
    return multiply(this.l2, sum(square(x)));
  }
}
/** l1 · Σ|x| + l2 · Σx². */
export class L1L2 extends configure(Regularizer, "L1L2", { l1: float(0), l2: float(0) }) {
  constructor({ l1 = 0, l2 = 0 }: { l1?: number; l2?: number } = {}) {
    super({ l1, l2 });
  }
  override call(x: Tensor): Tensor {
    const parts: Tensor[] = [];
    if (this.l1) parts.push(multiply(this.l1, sum(abs(x))));
    if (this.l2) parts.push(multiply(this.l2, sum(square(x))));
    return parts.length === 2 ? add(parts[0]!, parts[1]!) : (parts[0] ?? multiply(0, sum(x)));
  }
}
/** Penalizes rows (or columns) of a matrix that are not orthogonal to each other. */
export class OrthogonalRegularizer extends configure(Regularizer, "OrthogonalRegularizer", {
  factor: float(0.01),
  mode: oneOf(["rows", "columns"], "rows"),
}) {
  constructor({ factor = 0.01, mode = "rows" }: { factor?: number; mode?: "rows" | "columns" } = {}) {
    super({ factor: rounded(factor), mode });
  }
  override call(x: Tensor): Tensor {
    if (x.ndim !== 2) throw new RangeError(`OrthogonalRegularizer expects a matrix. Received shape [${x.shape}].`);
    const rows = this.mode === "rows";
    const unit = l2Normalize(x, rows ? 1 : 0);
    const products = rows ? matmul(unit, transpose(unit)) : matmul(transpose(unit), unit);
    const size = x.shape[rows ? 0 : 1]!;
    const outside = multiply(products, subtract(1, identity(size, x.dtype)));
    return multiply(this.factor, divide(multiply(0.5, sum(abs(outside))), (size * (size - 1)) / 2));
  }
}

/** Finds regularizers by name, config, class or instance. */
export const regularizers = makeLookup({
  kind: "regularizer",
  module: "keras.regularizers",
  objects: { L1, L2, L1L2, OrthogonalRegularizer },
  aliases: { orthogonal: OrthogonalRegularizer },
  accepts: (value): value is RegularizerFunction => typeof value === "function",
});
/** A constructor argument that is a regularizer or null. */
export const regularizer = () => objectField(regularizers, null);
/** The regularizer that a name, config, class or instance stands for. */
export const { get, serialize, deserialize } = regularizers;
