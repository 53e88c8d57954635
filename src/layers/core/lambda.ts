import { configure } from "../../config/configure.js";
import { deserializeKerasObject } from "../../config/deserialize.js";
import { isEnvelope } from "../../config/envelope.js";
import { any, derived, optional, type Options } from "../../config/fields.js";
import { wrongValue } from "../../config/make-field.js";
import { registerBuiltins } from "../../config/registry.js";
import { KerasTensor, type SymbolicShape } from "../../core/keras-tensor.js";
import { computeOutputSpec } from "../../core/symbolic.js";
import type { Tensor } from "../../core/tensor.js";
import { symbolicShapeOf } from "../base/shapes.js";
import { Layer, type LayerOptions } from "../layer.js";

/** What a Lambda layer runs: inputs, then an options object with `training`, `mask` and the given arguments. */
export type LambdaFunction = (inputs: Tensor, options: Record<string, unknown>) => unknown;

/** A function, by itself or as it is saved: by its registered name. Functions that Python saved as code are refused. */
const savedFunction = <F>() =>
  derived(any<F>(), (value, name): F => {
    const fn: unknown = isEnvelope(value) ? deserializeKerasObject(value) : value;
    if (typeof fn !== "function") throw wrongValue(name, "a function, or the config of a registered one", value);
    return fn as F;
  });
type OutputShape = SymbolicShape | ((inputShape: SymbolicShape) => SymbolicShape);
const fields = {
  fn: { ...savedFunction<LambdaFunction>(), savedAs: "function" },
  /** Shape of the outputs without the batch axis, or a function of the input shape; found out by running the function when null. */
  outputShape: { ...any<OutputShape | null>(null), saved: "whenSet" as const },
  /** The mask of the outputs, or a function of inputs and mask; without one masks end here. */
  mask: { ...optional(any<unknown>()), saved: "whenSet" as const },
  /** Further options for the function. */
  arguments: any<Readonly<Record<string, unknown>>>({}),
};
export interface LambdaOptions extends LayerOptions, Omit<Options<typeof fields>, "fn"> {}

/** Runs a function of tensors as a layer. To be loaded again, the function must be registered; a class of your own is often better. */
export class Lambda extends configure(Layer, "Lambda", fields) {
  static override readonly callOptions: readonly string[] = ["training", "mask"];

  constructor(fn: LambdaFunction, options: LambdaOptions = {}) {
    super({ fn, ...options });
    this.supportsMasking = this.mask !== null;
  }
  override call(inputs: Tensor, options: Record<string, unknown> = {}): unknown {
    return this.fn(inputs, { ...options, ...this.arguments });
  }
  override computeOutputSpec(...args: unknown[]): unknown {
    const wanted = this.outputShape;
    if (wanted === null)
      return computeOutputSpec(
        (...all: unknown[]) => this.call(all[0] as Tensor, all[1] as Record<string, unknown>),
        args,
      );
    const inputShape = symbolicShapeOf(args[0] as KerasTensor);
    const sized = typeof wanted === "function" ? wanted(inputShape) : [inputShape[0] ?? null, ...wanted];
    return new KerasTensor(sized, this.inputDtype);
  }
  override computeMask(inputs: Tensor, mask: Tensor | null): unknown {
    return typeof this.mask === "function" ? (this.mask(inputs, mask) as unknown) : this.mask;
  }
}

registerBuiltins("keras.layers", { Lambda });
