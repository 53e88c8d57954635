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

/** Largest element of each window over two spatial axes. */
export class MaxPooling2D extends configure(BaseMaxPooling, "MaxPooling2D", maxPoolingFields(2)) {
  constructor(poolSize: WindowSize | MaxPoolingOptions = {}, options: PoolingOptions = {}) {
    super(maxPoolingOptions(poolSize, options));
  }
}
export { MaxPooling2D as MaxPool2D };

registerBuiltins("keras.layers", { MaxPooling2D, MaxPool2D: MaxPooling2D });
