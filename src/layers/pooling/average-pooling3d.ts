import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { averagePoolingFields, BaseAveragePooling, type PoolingOptions } from "./base-pooling.js";

/** Mean of each window over three spatial axes. */
export class AveragePooling3D extends configure(BaseAveragePooling, "AveragePooling3D", averagePoolingFields(3)) {
  constructor(poolSize: number | readonly number[], options: PoolingOptions = {}) {
    super({ poolSize, ...options });
  }
}
export { AveragePooling3D as AvgPool3D };

registerBuiltins("keras.layers", { AveragePooling3D, AvgPool3D: AveragePooling3D });
