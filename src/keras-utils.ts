/** `keras.utils`: helpers around models and data. */
export { clearSession } from "./core/settings.js";
export {
  CustomObjectScope,
  customObjectScope,
  getCustomObjects,
  getRegisteredName,
  getRegisteredObject,
  registerKerasSerializable,
} from "./config/registry.js";
export { deserializeKerasObject } from "./config/deserialize.js";
export { serializeKerasObject } from "./config/serialize.js";
export { getFile, type GetFileOptions } from "./datasets/get-file.js";
export { setRandomSeed } from "./random/seed-generator.js";
export { PyDataset } from "./trainers/data/py-dataset.js";
export { Progbar, type ProgbarOptions } from "./utils/progbar.js";
