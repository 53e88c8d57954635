/** `keras.quantizers`: integers for floats, and the packing of few bits into bytes. */
import { makeLookup } from "../config/lookup.js";
import { AWQConfig, GPTQConfig } from "./calibration-config.js";
import {
  Float8QuantizationConfig,
  Int4QuantizationConfig,
  Int8QuantizationConfig,
  QuantizationConfig,
  TernaryQuantizationConfig,
} from "./quantization-config.js";
import { AbsMaxQuantizer, Quantizer } from "./quantizer.js";

export { type AbsMaxOptions, absMaxQuantize, type ValueRange } from "./abs-max.js";
export { absMaxQuantizeGroupedWithZeroPoint } from "./affine.js";
export { type AWQConfigOptions, type GPTQConfigOptions } from "./calibration-config.js";
export { type FakeQuantOptions, fakeQuantWithMinMaxVars } from "./fake-quant.js";
export { computeFloat8AmaxHistory, computeFloat8Scale, quantizeAndDequantize } from "./float8.js";
export * from "./packing.js";
export { type Int4QuantizationOptions, type IntQuantizationOptions } from "./quantization-config.js";
export { type AbsMaxQuantizerOptions, type QuantizeOptions } from "./quantizer.js";
export {
  AbsMaxQuantizer,
  AWQConfig,
  Float8QuantizationConfig,
  GPTQConfig,
  Int4QuantizationConfig,
  Int8QuantizationConfig,
  QuantizationConfig,
  Quantizer,
  TernaryQuantizationConfig,
};

/** Finds quantizers, and the configs of quantization modes, by name, config, class or instance. */
export const quantization = makeLookup({
  kind: "quantizer",
  module: "keras.quantizers",
  objects: {
    AbsMaxQuantizer,
    Int8QuantizationConfig,
    Int4QuantizationConfig,
    Float8QuantizationConfig,
    TernaryQuantizationConfig,
    AWQConfig,
    GPTQConfig,
  },
  accepts: (value): value is Quantizer | QuantizationConfig =>
    value instanceof Quantizer || value instanceof QuantizationConfig,
});
/** The quantizer that a name, config, class or instance stands for. */
export const { get, serialize, deserialize } = quantization;
