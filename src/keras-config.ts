/** `keras.config`: global settings. */
export { backend, setBackend } from "./backend/index.js";
export { disableBackgroundSteps, enableBackgroundSteps, isBackgroundStepsEnabled } from "./core/background-steps.js";
export { disableFlashAttention, enableFlashAttention, isFlashAttentionEnabled } from "./core/flash-attention.js";
export { maxEpochs, maxStepsPerEpoch, setMaxEpochs, setMaxStepsPerEpoch } from "./core/limits.js";
export {
  disableTracebackFiltering,
  enableTracebackFiltering,
  isNnxEnabled,
  isTracebackFilteringEnabled,
} from "./core/unsupported.js";
export { enableUnsafeDeserialization } from "./config/safe-mode.js";
export {
  epsilon,
  floatx,
  imageDataFormat,
  setEpsilon,
  setFloatx,
  setImageDataFormat,
  type ImageDataFormat,
} from "./core/settings.js";
export { dtypePolicy, setDtypePolicy } from "./dtype-policies/index.js";
export { disableInteractiveLogging, enableInteractiveLogging, isInteractiveLoggingEnabled } from "./utils/io-utils.js";
