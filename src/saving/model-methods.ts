import { Functional } from "../models/functional.js";
import { installGraphModel, Model } from "../models/model.js";
import type { ByteSource } from "../utils/files.js";
import { loadWeights, saveModel, saveWeights } from "./on-demand.js";
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

/** Models come before saving in the order of imports: their methods for it are put on them here. */
const methods = {
  save(this: Model, ...args: [string, SaveModelOptions?]) {
    return saveModel(this, ...args);
  },
  saveWeights(this: Model, ...args: [string, SaveWeightsOptions?]) {
    return saveWeights(this, ...args);
  },
  loadWeights(this: Model, source: ByteSource, options?: LoadWeightsOptions) {
    return loadWeights(this, source, options);
  },
};
for (const [name, value] of Object.entries(methods))
  Object.defineProperty(Model.prototype, name, { value, configurable: true, writable: true });
// A bundler drops `Functional`, and its introduction with it, where nothing else mentions it; `new Model({ inputs, outputs })` needs it.
installGraphModel(Functional);
