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

/** Largest element of each window over three spatial axes. */
export class MaxPooling3D extends configure(BaseMaxPooling, "MaxPooling3D", maxPoolingFields(3)) {
  constructor(poolSize: WindowSize | MaxPoolingOptions = {}, options: PoolingOptions = {}) {
    super(maxPoolingOptions(poolSize, options));
  }
}
export { MaxPooling3D as MaxPool3D };

registerBuiltins("keras.layers", { MaxPooling3D, MaxPool3D: MaxPooling3D });
