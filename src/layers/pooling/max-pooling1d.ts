import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import {
  BaseMaxPooling,
  maxPoolingFields,
  type MaxPoolingOptions,
  maxPoolingOptions,
  type PoolingOptions,
  type WindowSize,
} from "./base-pooling.js";

/** Largest element of each window over one spatial axis. */
export class MaxPooling1D extends configure(BaseMaxPooling, "MaxPooling1D", maxPoolingFields(1)) {
  constructor(poolSize: WindowSize | MaxPoolingOptions = {}, options: PoolingOptions = {}) {
    super(maxPoolingOptions(poolSize, options));
  }
}
export { MaxPooling1D as MaxPool1D };

registerBuiltins("keras.layers", { MaxPooling1D, MaxPool1D: MaxPooling1D });
