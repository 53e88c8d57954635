import { Model } from "../models/model.js";
import type { ByteSource } from "../utils/files.js";
import type { SaveModelOptions } from "./save-model.js";
import type { LoadWeightsOptions, SaveWeightsOptions } from "./weights.js";

declare module "../models/model.js" {
  interface Model {
    /** The bytes of a `.keras` file of the model: architecture, weights, and optimizer with its state. */
    save(): Promise<Uint8Array<ArrayBuffer>>;
    /** Saves the model as a `.keras` file. What was there stays intact until everything is written. */
    save(path: string | URL, options?: SaveModelOptions): Promise<void>;
    /** The bytes of a `.weights.h5` file of the model. */
    saveWeights(): Promise<Uint8Array<ArrayBuffer>>;
    /** Saves the weights to a path that ends in ".weights.h5". */
    saveWeights(path: string | URL, options?: SaveWeightsOptions): Promise<void>;
    /** Loads weights from a ".weights.h5" or ".keras" file into this model, which must be built and alike. */
    loadWeights(source: ByteSource, options?: LoadWeightsOptions): Promise<void>;
  }
}

/**
 * Models come before saving in the order of imports: their methods for it are put on them here. What they need is loaded with the first
 * use, so that programs that never save do not carry it.
 */
const methods = {
  async save(this: Model, ...args: [string, SaveModelOptions?]) {
    const { saveModel } = await import("./save-model.js");
    return saveModel(this, ...args);
  },
  async saveWeights(this: Model, ...args: [string, SaveWeightsOptions?]) {
    const { saveWeights } = await import("./weights.js");
    return saveWeights(this, ...args);
  },
  async loadWeights(this: Model, source: ByteSource, options?: LoadWeightsOptions) {
    const { loadWeights } = await import("./weights.js");
    return loadWeights(this, source, options);
  },
};
for (const [name, value] of Object.entries(methods))
  Object.defineProperty(Model.prototype, name, { value, configurable: true, writable: true });
