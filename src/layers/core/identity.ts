import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { Layer, type LayerOptions } from "../layer.js";

/** Returns its inputs as they are. */
export class Identity extends configure(Layer, "Identity", {}) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: LayerOptions = {}) {
    super(options);
    this.supportsMasking = true;
    this.buildAtInit();
  }
  override call<T>(inputs: T): T {
    return inputs;
  }
  override computeOutputShape<T>(inputShape: T): T {
    return inputShape;
  }
}

registerBuiltins("keras.layers", { Identity });
