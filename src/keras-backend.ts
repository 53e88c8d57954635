/** `keras.backend`: the engine, and what Python Keras keeps beside it. */
export * from "./backend/index.js";
export {
  clearSession,
  epsilon,
  floatx,
  imageDataFormat,
  setEpsilon,
  setFloatx,
  setImageDataFormat,
} from "./core/settings.js";
export {
  isFloatDtype,
  isIntDtype,
  isKerasTensor,
  resultType,
  type ResultTypeInput,
  standardizeDtype,
} from "./core/dtype-functions.js";
export { KerasTensor } from "./core/keras-tensor.js";
export { device } from "./core/device.js";
export { nativeComposites, setNativeComposites } from "./core/native-composites.js";
export { remat } from "./core/remat.js";
export { nameScope } from "./core/scopes.js";
export { StatelessScope, type StatelessScopeOptions } from "./core/stateless-scope.js";
export { Variable, type VariableOptions } from "./core/variable.js";
export { getUid } from "./utils/naming.js";
