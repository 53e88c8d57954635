import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { averagePoolingFields, BaseAveragePooling, type PoolingOptions } from "./base-pooling.js";

/** Mean of each window over one spatial axis. */
export class AveragePooling1D extends configure(BaseAveragePooling, "AveragePooling1D", averagePoolingFields(1)) {
  constructor(poolSize: number | readonly number[], options: PoolingOptions = {}) {
    super({ poolSize, ...options });
  }
}
export { AveragePooling1D as AvgPool1D };

registerBuiltins("keras.layers", { AveragePooling1D, AvgPool1D: AveragePooling1D });
