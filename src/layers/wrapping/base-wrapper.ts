import { configure } from "../../config/configure.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import { layerField } from "../base/layer-field.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = {
  /** The wrapped layer. */
  layer: layerField(),
};

/** What all wrappers do: the wrapped layer is built with the wrapper and saved with it. */
export abstract class BaseWrapper extends configure(Layer, "BaseWrapper", fields) {
  constructor(options: LayerOptions & { layer: Layer }) {
    super(options);
  }
  override build(inputShape: SymbolicShape): void {
    if (!this.layer.built) this.layer.build(inputShape);
    this.layer.built = true;
  }
}
