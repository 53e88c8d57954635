/** `keras.utils`: helpers around models and data. */
import "./backend/index.js";
import "./ops/operators.js";

export { isKerasTensor, standardizeDtype } from "./core/dtype-functions.js";
export { clearSession } from "./core/settings.js";
export { getSourceInputs } from "./core/source-inputs.js";
export * from "./data-utils/index.js";
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
export { PyDataset, PyDataset as Sequence } from "./trainers/data/py-dataset.js";
export { packXYSampleWeight, unpackXYSampleWeight } from "./trainers/data/unpack.js";
export { disableInteractiveLogging, enableInteractiveLogging, isInteractiveLoggingEnabled } from "./utils/io-utils.js";
export { Config } from "./utils/settings-object.js";
export { Progbar, type ProgbarOptions } from "./utils/progbar.js";
