import { configure } from "../../config/configure.js";
import { bool, derived, intOrInts, type Options } from "../../config/fields.js";
import { wrongValue } from "../../config/make-field.js";
import { registerBuiltins } from "../../config/registry.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import { normalize } from "../../ops/normalization.js";
import { expandDims } from "../../ops/shape.js";
import * as P from "../../primitives/index.js";
import { showShape } from "../base/shapes.js";
import type { LayerOptions } from "../layer.js";
import { Merge, requireShapes } from "./merge.js";

const fields = {
  /** The axis of each input that is multiplied and summed; one number for both, or a pair. */
  axes: derived(intOrInts(), (value, name) => {
    if (typeof value !== "number" && value.length !== 2)
      throw wrongValue(name, "an integer or a pair of integers", value);
    return value;
  }),
  /** Whether vectors are first scaled to length 1: then the products are cosines. */
  normalize: bool(false),
};
export interface DotOptions extends LayerOptions, Omit<Options<typeof fields>, "axes"> {}

/** Products of two inputs over one axis each, sample by sample. */
export class Dot extends configure(Merge, "Dot", fields) {
  constructor(axes: number | readonly number[], options: DotOptions = {}) {
    super({ axes, ...options });
  }
  override build(inputShapes: readonly SymbolicShape[]): void {
    const shapes = requireShapes(this.name, inputShapes, 2);
    const [i, j] = this.axesOf(shapes[0]!.length, shapes[1]!.length);
    const [p, q] = [shapes[0]![i] ?? null, shapes[1]![j] ?? null];
    if (shapes.length !== 2 || p !== q)
      throw new RangeError(
        `Layer "${this.name}" multiplies two inputs along axes of equal size. Received shapes ${shapes.map(showShape).join(", ")} with axes ${i} and ${j}.`,
      );
  }
  override call(inputs: readonly Tensor[]): Tensor {
    return this.merge(inputs);
  }
  protected override merge(inputs: readonly Tensor[]): Tensor {
    const [x, y] = inputs as [Tensor, Tensor];
    const [i, j] = this.axesOf(x.ndim, y.ndim);
    if (i === 0 || j === 0)
      throw new RangeError(`Layer "${this.name}" cannot multiply along the batch axis. Received axes ${i} and ${j}.`);
    const scaled = (t: Tensor, axis: number): Tensor => (this.normalize ? normalize(t, { axis }) : t);
    const product = P.dot(scaled(x, i), scaled(y, j), { contract: [[i], [j]], batch: [[0], [0]] });
    return product.ndim === 1 ? expandDims(product, 1) : product;
  }
  private axesOf(rankX: number, rankY: number): [number, number] {
    const [i, j] = typeof this.axes === "number" ? [this.axes, this.axes] : (this.axes as [number, number]);
    return [i < 0 ? i + rankX : i, j < 0 ? j + rankY : j];
  }
  override computeMask(): null {
    return null;
  }
}

registerBuiltins("keras.layers", { Dot });
