import { Configurable } from "../config/configurable.js";
import { configure } from "../config/configure.js";
import { any, objectField } from "../config/fields.js";
import type { PartialEnvelope } from "../config/envelope.js";
import type { QuantizationMode } from "../dtype-policies/quantized-dtype-policy.js";
import { AbsMaxQuantizer, type Quantizer, quantizers } from "./quantizer.js";

/** Settings of a quantization mode. */
export abstract class QuantizationConfig extends configure(Configurable, "QuantizationConfig", {}) {
  static override readonly module: string = "keras.quantizers";
  /** The mode that the config sets up. */
  abstract readonly mode: QuantizationMode;
}

const fields = { weightQuantizer: objectField(quantizers, null), activationQuantizer: objectField(quantizers, null) };

/** A quantizer, or what stands for one. */
export type QuantizerIdentifier = Quantizer | "abs_max_quantizer" | "AbsMaxQuantizer" | PartialEnvelope;
export interface IntQuantizationOptions {
  /** The quantizer of the weights; null for that of the mode. */
  readonly weightQuantizer?: QuantizerIdentifier | null | undefined;
  /** The quantizer of the inputs: "default" for that of the mode, null to leave inputs as they are. */
  readonly activationQuantizer?: QuantizerIdentifier | "default" | null | undefined;
}

/** The value range of a weight quantizer must be `expected`. */
function checkRange(name: string, weights: Quantizer | null, expected: readonly [number, number] | null): void {
  if (!weights) return;
  if (weights.outputDtype !== "int8")
    throw new TypeError(`${name} needs a weight quantizer that gives int8. Received: ${weights.outputDtype}.`);
  if (!expected || !(weights instanceof AbsMaxQuantizer)) return;
  const [low, high] = weights.valueRange;
  if (low !== expected[0] || high !== expected[1])
    throw new TypeError(
      `${name} needs a weight quantizer with valueRange [${expected.join(", ")}]. Received: [${low}, ${high}].`,
    );
}

/** Weights and inputs of 8 bits. Throws when the weight quantizer gives another type. */
export class Int8QuantizationConfig extends configure(QuantizationConfig, "Int8QuantizationConfig", fields) {
  readonly mode = "int8";
  constructor({ weightQuantizer = null, activationQuantizer = "default" }: IntQuantizationOptions = {}) {
    super({
      weightQuantizer,
      activationQuantizer: activationQuantizer === "default" ? new AbsMaxQuantizer() : activationQuantizer,
    });
    checkRange("Int8QuantizationConfig", this.weightQuantizer, null);
  }
}

const int4Fields = { ...fields, blockSize: any<number | null>(128) };
export interface Int4QuantizationOptions extends IntQuantizationOptions {
  /** Inputs that share a scale; null or -1 for one scale a channel. */
  readonly blockSize?: number | null | undefined;
}
/**
 * Weights of 4 bits. Throws when the block size is not positive, -1 or null, and when quantizers are given without
 * giving up blocks.
 */
export class Int4QuantizationConfig extends configure(QuantizationConfig, "Int4QuantizationConfig", int4Fields) {
  readonly mode = "int4";
  constructor({
    weightQuantizer = null,
    activationQuantizer = "default",
    blockSize = 128,
  }: Int4QuantizationOptions = {}) {
    super({
      weightQuantizer,
      activationQuantizer: activationQuantizer === "default" ? null : activationQuantizer,
      blockSize,
    });
    if (blockSize !== null && blockSize !== -1 && !(Number.isInteger(blockSize) && blockSize > 0))
      throw new TypeError(
        `\`Int4QuantizationConfig.blockSize\` must be a positive integer, -1 or null. Received: ${blockSize}.`,
      );
    if (blockSize !== null && blockSize > 0 && (this.weightQuantizer || this.activationQuantizer))
      throw new TypeError(
        `Int4QuantizationConfig takes no quantizers when weights are quantized in blocks. Give \`blockSize: null\`, or leave the quantizers out. Received: blockSize ${blockSize}.`,
      );
    checkRange("Int4QuantizationConfig", this.weightQuantizer, [-8, 7]);
  }
}

/** Matrix products in float8, with scales from recent steps. */
export class Float8QuantizationConfig extends configure(QuantizationConfig, "Float8QuantizationConfig", {}) {
  readonly mode = "float8";
  constructor() {
    super({});
  }
}
/** Weights of -1, 0 and 1, times a scale. */
export class TernaryQuantizationConfig extends configure(QuantizationConfig, "TernaryQuantizationConfig", {}) {
  readonly mode = "ternary";
  constructor() {
    super({});
  }
}
