/** `keras.saving`: models and objects in files. */
import "./model-methods.js";

export { deserializeKerasObject, type DeserializeOptions } from "../config/deserialize.js";
export {
  CustomObjectScope,
  customObjectScope,
  type CustomObjects,
  getCustomObjects,
  getRegisteredName,
  getRegisteredObject,
  registerKerasSerializable,
  type RegistrationOptions,
} from "../config/registry.js";
export { serializeKerasObject } from "../config/serialize.js";
export type { ByteSource } from "../utils/files.js";
export { loadModel, type LoadModelOptions } from "./load-model.js";
export { saveModel, type SaveModelOptions } from "./save-model.js";
export type { AssetStore, HasAssets } from "./saveable.js";
export { loadWeights, type LoadWeightsOptions, saveWeights, type SaveWeightsOptions } from "./weights.js";
