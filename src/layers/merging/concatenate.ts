import { configure } from "../../config/configure.js";
import { int, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import { logicalOr, notEqual } from "../../ops/logic.js";
import { any } from "../../ops/reductions.js";
import { concatenate, expandDims } from "../../ops/shape.js";
import { showShape } from "../base/shapes.js";
import type { LayerOptions } from "../layer.js";
import { Merge, requireShapes } from "./merge.js";

const fields = { axis: int(-1) };
export interface ConcatenateOptions extends LayerOptions, Options<typeof fields> {}

/** Joins its inputs along an axis; their other axes must be equal. */
export class Concatenate extends configure(Merge, "Concatenate", fields) {
  constructor(options: ConcatenateOptions = {}) {
    super(options);
  }
  override build(inputShapes: readonly SymbolicShape[]): void {
    const shapes = requireShapes(this.name, inputShapes, 1);
    const [first] = shapes as [SymbolicShape];
    const at = this.axis < 0 ? this.axis + first.length : this.axis;
    const fits = shapes.every(
      (shape) =>
        shape.length === first.length &&
        shape.every((dim, i) => i === at || dim === null || (first[i] ?? null) === null || dim === first[i]),
    );
    if (!fits || at < 0 || at >= first.length)
      throw new RangeError(
        `Layer "${this.name}" joins inputs along axis ${this.axis}; all other axes must be equal. Received shapes: ${shapes.map(showShape).join(", ")}.`,
      );
  }
  override call(inputs: readonly Tensor[]): Tensor {
    return this.merge(inputs);
  }
  protected override merge(inputs: readonly Tensor[]): Tensor {
    return concatenate(inputs, { axis: this.axis });
  }
  override computeMask(inputs: readonly Tensor[], masks: readonly (Tensor | null)[] | null): Tensor | null {
    if (masks === null || masks.every((mask) => mask === null)) return null;
    const full = inputs.map((x, i) => {
      const mask = masks[i] ?? null;
      const none = notEqual(x, x);
      if (mask === null) return logicalOr(true, none);
      return mask.shape.length < x.shape.length ? logicalOr(expandDims(mask, -1), none) : mask;
    });
    return any(concatenate(full, { axis: this.axis }), { axis: -1 });
  }
}

registerBuiltins("keras.layers", { Concatenate });
