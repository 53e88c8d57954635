import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Layer, LayerOptions } from "../layer.js";
import { BaseWrapper } from "./base-wrapper.js";

/** Base of users' layers that change how another one works, `this.layer`: it is built with the wrapper and saved with it. */
export class Wrapper extends configure(BaseWrapper, "Wrapper", {}) {
  constructor(layer: Layer, options: LayerOptions = {}) {
    super({ layer, ...options });
  }
}

registerBuiltins("keras.layers", { Wrapper });
