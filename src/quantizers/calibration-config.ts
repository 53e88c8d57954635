import { configure } from "../config/configure.js";
import { any, bool, derived, float, int, type Options, positiveInt } from "../config/fields.js";
import { QuantizationConfig } from "./quantization-config.js";

/** Saved files hold no data: these come back as null. */
const unsaved = () => ({ ...any<unknown>(), write: () => null });
const groupSize = () =>
  derived(int(128), (size, name) => {
    if (size === -1 || size > 0) return size;
    throw new TypeError(`\`${name}\` must be a positive integer, or -1 for one group. Received: ${size}.`);
  });
const bits = (known: readonly number[]) =>
  derived(int(4), (value, name) => {
    if (known.includes(value)) return value;
    throw new TypeError(`\`${name}\` must be one of ${known.join(", ")}. Received: ${value}.`);
  });

const gptqFields = {
  /** Texts or token arrays to calibrate with. */
  dataset: unsaved(),
  tokenizer: unsaved(),
  /** Which layers are quantized, and in which order. */
  quantizationLayerStructure: { ...any<unknown>(null), write: () => null },
  weightBits: bits([2, 3, 4, 8]),
  numSamples: positiveInt(128),
  calibrationBatchSize: positiveInt(8),
  perChannel: bool(true),
  sequenceLength: positiveInt(512),
  /** Share of the mean diagonal that is added to the diagonal of the Hessian. */
  hessianDamping: float(0.01, { min: 0, max: 1 }),
  groupSize: groupSize(),
  symmetric: bool(false),
  /** Whether columns are quantized by falling importance. */
  activationOrder: bool(false),
};
export interface GPTQConfigOptions extends Options<typeof gptqFields> {}
/** Settings of GPTQ (Frantar et al. 2022): weights of a few bits whose errors the remaining weights make up for. */
export class GPTQConfig extends configure(QuantizationConfig, "GPTQConfig", gptqFields) {
  readonly mode = "gptq";
  constructor(dataset: unknown, tokenizer: unknown, options: GPTQConfigOptions = {}) {
    super({ dataset, tokenizer, ...options });
  }
  /** The first part of the name of the policy that layers get: "gptq/4/128". */
  dtypePolicyString(): string {
    return `gptq/${this.weightBits}/${this.groupSize}`;
  }
}

const awqFields = {
  dataset: unsaved(),
  tokenizer: unsaved(),
  quantizationLayerStructure: { ...any<unknown>(null), write: () => null },
  weightBits: bits([4]),
  numSamples: positiveInt(128),
  sequenceLength: positiveInt(512),
  groupSize: groupSize(),
  /** How many exponents of the channel scales are tried. */
  numGridPoints: positiveInt(20),
  /** Whether ranges are tightened where that lowers the error. */
  applyClip: bool(true),
};
export interface AWQConfigOptions extends Options<typeof awqFields> {}
/** Settings of AWQ (Lin et al. 2023): 4-bit weights, scaled by how much the inputs of their channels matter. */
export class AWQConfig extends configure(QuantizationConfig, "AWQConfig", awqFields) {
  readonly mode = "awq";
  constructor(dataset: unknown, tokenizer: unknown, options: AWQConfigOptions = {}) {
    super({ dataset, tokenizer, ...options });
  }
  /** The first part of the name of the policy that layers get: "awq/4/128". */
  dtypePolicyString(): string {
    return `awq/${this.weightBits}/${this.groupSize}`;
  }
}
