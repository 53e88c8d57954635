import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import { broadcastTo, stack } from "../../ops/shape.js";
import { unstack } from "../../ops/slices.js";
import { isShape, showShape } from "../base/shapes.js";
import type { Layer, LayerOptions } from "../layer.js";
import { BaseWrapper } from "./base-wrapper.js";

/** Applies one layer to every step of inputs [batch, steps, ...]; a mask [batch, steps, ...] is handed to it step by step. */
export class TimeDistributed extends configure(BaseWrapper, "TimeDistributed", {}) {
  static override readonly callOptions: readonly string[] = ["training", "mask"];

  constructor(layer: Layer, options: LayerOptions = {}) {
    super({ layer, ...options });
  }
  /** The shape of one step. */
  private stepShape(inputShape: SymbolicShape): SymbolicShape {
    if (!isShape(inputShape) || inputShape.length < 3)
      throw new RangeError(
        `Layer "${this.name}" takes inputs of at least 3 axes, [batch, steps, ...]. Received ${isShape(inputShape) ? `shape ${showShape(inputShape)}` : "several tensors"}.`,
      );
    return [inputShape[0]!, ...inputShape.slice(2)];
  }
  override build(inputShape: SymbolicShape): void {
    super.build(this.stepShape(inputShape));
  }
  override call(
    inputs: Tensor,
    { mask = null, training }: { mask?: Tensor | null; training?: boolean | null } = {},
  ): Tensor {
    if (mask) this.checkMask(mask, inputs);
    const steps = inputs.shape[1]!;
    // Where only shapes are worked out, one step tells those of all.
    const num = Number.isNaN(steps) ? 1 : steps;
    const masks = mask && unstack(mask, { axis: 1, num });
    const outputs = unstack(inputs, { axis: 1, num }).map((step, i) =>
      this.layer.call(step, { ...(masks && { mask: masks[i]! }), ...(training !== undefined && { training }) }),
    ) as Tensor[];
    const result = stack(outputs, { axis: 1 });
    return Number.isNaN(steps) ? broadcastTo(result, [result.shape[0]!, NaN, ...result.shape.slice(2)]) : result;
  }
  private checkMask(mask: Tensor, inputs: Tensor): void {
    const differs = (axis: number): boolean =>
      mask.shape[axis]! < inputs.shape[axis]! || mask.shape[axis]! > inputs.shape[axis]!;
    if (mask.ndim < 2 || differs(0) || differs(1))
      throw new RangeError(
        `Layer "${this.name}": the mask must have the first two axes of the inputs, [batch, steps]. Received: mask of shape [${mask.shape}] and inputs of shape [${inputs.shape}].`,
      );
  }
  override computeOutputShape(inputShape: SymbolicShape): SymbolicShape {
    const [batch = null, ...rest] = this.layer.computeOutputShape(this.stepShape(inputShape)) as SymbolicShape;
    return [batch, inputShape[1]!, ...rest];
  }
}

registerBuiltins("keras.layers", { TimeDistributed });
