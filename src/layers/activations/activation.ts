import { activation } from "../../activations/index.js";
import { configure } from "../../config/configure.js";
import type { Arguments } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = {
  /** A function from tensor to tensor, by name or as itself. */
  activation: activation(null),
};

/** Applies a function to its inputs. */
export class Activation extends configure(Layer, "Activation", {
  activation: { ...fields.activation, positional: true },
}) {
  static override readonly callOptions: readonly string[] = [];

  constructor(activation: Arguments<typeof fields>["activation"], options: LayerOptions = {}) {
    super({ activation, ...options });
    this.supportsMasking = true;
    this.buildAtInit();
  }
  override call(inputs: Tensor): Tensor {
    return this.activation(inputs);
  }
}

registerBuiltins("keras.layers", { Activation });
