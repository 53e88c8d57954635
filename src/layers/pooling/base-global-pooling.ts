import { configure } from "../../config/configure.js";
import { bool, type Options } from "../../config/fields.js";
import { dataFormat, spatialAxes } from "../data-format.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = {
  dataFormat: dataFormat(),
  /** Whether the spatial axes stay with size 1. */
  keepdims: bool(false),
};
/** The options of global pooling layers. */
export interface GlobalPoolingOptions extends LayerOptions, Options<typeof fields> {}

/** Base of layers that reduce all spatial axes. */
export abstract class BaseGlobalPooling extends configure(Layer, "BaseGlobalPooling", fields) {
  static override readonly callOptions: readonly string[] = [];
  /** Number of spatial axes. */
  protected get rank(): number {
    return 2;
  }

  constructor(options: GlobalPoolingOptions) {
    super(options);
    this.inputSpec = new InputSpec({ ndim: this.rank + 2 });
    this.buildAtInit();
  }
  /** Options of the op that reduces. */
  protected get reduction() {
    return { axis: spatialAxes(this.dataFormat, this.rank), keepdims: this.keepdims };
  }
}
