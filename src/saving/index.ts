/** `keras.saving`: models and objects in files. */

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
export type { LoadModelOptions } from "./load-model.js";
export { loadModel, loadTorchWeights, loadWeights, readTorchWeights, saveModel, saveWeights } from "./on-demand.js";
export type { LoadTorchWeightsOptions } from "./pytorch/load-torch-weights.js";
export type { SaveModelOptions } from "./save-model.js";
export type { AssetStore, HasAssets } from "./saveable.js";
export type { LoadWeightsOptions, SaveWeightsOptions } from "./weights.js";
