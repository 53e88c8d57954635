import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { averagePoolingFields, BaseAveragePooling, type PoolingOptions } from "./base-pooling.js";

/** Mean of each window over two spatial axes. */
export class AveragePooling2D extends configure(BaseAveragePooling, "AveragePooling2D", averagePoolingFields(2)) {
  constructor(poolSize: number | readonly number[], options: PoolingOptions = {}) {
    super({ poolSize, ...options });
  }
}
export { AveragePooling2D as AvgPool2D };

registerBuiltins("keras.layers", { AveragePooling2D, AvgPool2D: AveragePooling2D });
