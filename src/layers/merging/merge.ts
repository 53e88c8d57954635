import { configure } from "../../config/configure.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import { logicalOr, where } from "../../ops/logic.js";
import { broadcastTo, expandDims } from "../../ops/shape.js";
import { isShape, showShape } from "../base/shapes.js";
import { Layer, type LayerOptions } from "../layer.js";

/** Throws unless `shapes` are those of an array of at least `least` tensors. */
export function requireShapes(layer: string, shapes: unknown, least: number): readonly SymbolicShape[] {
  if (!Array.isArray(shapes) || shapes.length < least || !shapes.every(isShape))
    throw new TypeError(`Layer "${layer}" must be called on an array of at least ${least} tensors.`);
  return shapes as SymbolicShape[];
}

/** Base of layers that combine tensors element by element. Inputs of lower rank get axes after the batch axis. */
export abstract class Merge extends configure(Layer, "Merge", {}) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: LayerOptions = {}) {
    super(options);
    this.supportsMasking = true;
  }
  /** Combines tensors of one rank. */
  protected abstract merge(inputs: readonly Tensor[]): Tensor;

  override build(inputShapes: readonly SymbolicShape[]): void {
    const shapes = requireShapes(this.name, inputShapes, 1);
    const batches = new Set(shapes.flatMap(([batch]) => (batch === null || batch === undefined ? [] : [batch])));
    const fits = batches.size <= 1 && shapes.slice(1).every((shape, i) => mergeable(shapes[i]!, shape));
    if (!fits)
      throw new RangeError(
        `Layer "${this.name}" cannot merge inputs of shapes ${shapes.map(showShape).join(", ")}: sizes must be equal or 1, and batch sizes equal.`,
      );
  }
  override call(inputs: readonly Tensor[]): Tensor {
    if (!Array.isArray(inputs)) throw new TypeError(`Layer "${this.name}" must be called on an array of tensors.`);
    const rank = Math.max(...inputs.map((x: Tensor) => x.ndim));
    return this.merge(
      inputs.map((x: Tensor) => {
        if (x.ndim === rank) return x;
        const y = expandDims(
          x,
          Array.from({ length: rank - x.ndim }, (_, i) => i + 1),
        );
        y.kerasMask = x.kerasMask;
        return y;
      }),
    );
  }
  override computeMask(_inputs: readonly Tensor[], masks: readonly (Tensor | null)[] | null): Tensor | null {
    if (masks === null || masks.some((mask) => mask === null)) return null;
    return (masks as Tensor[]).reduce((all, mask) => logicalOr(all, mask));
  }
}

/** Whether the sample shapes broadcast, from the last axis on. */
function mergeable(a: SymbolicShape, b: SymbolicShape): boolean {
  for (let i = 1; i < Math.min(a.length, b.length); i++) {
    const [p, q] = [a.at(-i) ?? null, b.at(-i) ?? null];
    if (p !== null && q !== null && p !== 1 && q !== 1 && p !== q) return false;
  }
  return true;
}

/** A mask without the last axis of `x`, spread over all of `x`. */
export const spreadMask = (mask: Tensor, x: Tensor): Tensor => broadcastTo(expandDims(mask, -1), x.shape);

/** Combines step by step; where only one side is valid, that side is taken. */
export function mergeValid(inputs: readonly Tensor[], combine: (x: Tensor, y: Tensor) => Tensor): Tensor {
  let [result, valid]: [Tensor | null, Tensor | null] = [null, null];
  for (const input of inputs) {
    const mask = input.kerasMask && spreadMask(input.kerasMask, input);
    if (!result) {
      [result, valid] = [input, mask];
      continue;
    }
    const x: Tensor = mask ? where(mask, input, result) : input;
    if (valid) result = where(valid, result, x);
    valid = valid && mask ? logicalOr(valid, mask) : null;
    result = combine(result, x);
  }
  return result!;
}
