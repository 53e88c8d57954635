import { configure } from "../config/configure.js";
import { optional, positiveInt, string } from "../config/fields.js";
import { registerBuiltins } from "../config/registry.js";
import { showValue } from "../utils/show-value.js";
import { dtypePolicy } from "./global-policy.js";
import { Policy, type PolicyDTypes, parsePolicyName } from "./policy.js";

/** Ways of quantizing a layer. */
export const quantizationModes = ["int8", "float8", "int4", "gptq", "awq", "ternary"] as const;
export type QuantizationMode = (typeof quantizationModes)[number];

const fields = { mode: string(), sourceName: optional(string()) };

/** A policy of a quantized layer: the mode ("int8", "int4/128", "gptq/4/128"...) and the policy the layer had before. */
export class QuantizedDTypePolicy extends configure(Policy, "QuantizedDTypePolicy", fields) {
  protected readonly dtypes: PolicyDTypes;
  readonly #source: string;

  constructor(mode: string, { sourceName = null }: { sourceName?: string | null | undefined } = {}) {
    super({ mode, sourceName: sourceName ?? dtypePolicy().name });
    this.#source = this.sourceName ?? dtypePolicy().name;
    this.dtypes = parsePolicyName(this.#source);
    if (!quantizationModes.some((known) => known === this.quantizationMode))
      throw new TypeError(
        `\`QuantizedDTypePolicy.mode\` must be one of ${quantizationModes.join(", ")}. Received: ${showValue(mode)}.`,
      );
    if (this.quantizationMode === "int8" && this.dtypes.compute === "float16")
      throw new TypeError("int8 quantization does not work with float16 as compute dtype. Use bfloat16 or float32.");
  }
  override get name(): string {
    return `${this.mode}_from_${this.#source}`;
  }
  override get quantizationMode(): QuantizationMode {
    return this.mode.split("/")[0] as QuantizationMode;
  }
  /** The numbers after the mode: "gptq/4/128" gives [4, 128]. Throws a TypeError unless there are as many as `names`. */
  protected settings(...names: readonly string[]): number[] {
    const parts = this.mode.split("/").slice(1).map(Number);
    if (parts.length === names.length && parts.every(Number.isInteger)) return parts;
    const expected = [this.quantizationMode, ...names.map((name) => `<${name}>`)].join("/");
    throw new TypeError(`\`mode\` must have the form "${expected}". Received: ${showValue(this.mode)}.`);
  }
  /** Throws a TypeError unless `size` is positive or -1. */
  protected checkSize(size: number): number {
    if (size === -1 || size > 0) return size;
    throw new TypeError(
      `The group or block size of \`mode\` must be -1 or positive. Received: ${showValue(this.mode)}.`,
    );
  }
}

/** Weights of 4 bits in blocks: mode "int4/<block size>", -1 for one block per channel. */
export class Int4DTypePolicy extends QuantizedDTypePolicy {
  static override readonly className: string = "Int4DTypePolicy";
  readonly blockSize: number = this.checkSize(this.settings("block size")[0]!);
}

/** Weights quantized by GPTQ: mode "gptq/<bits>/<group size>", -1 for the whole tensor as one group. */
export class GPTQDTypePolicy extends QuantizedDTypePolicy {
  static override readonly className: string = "GPTQDTypePolicy";
  readonly weightBits: number = this.checkBits(this.settings("bits", "group size")[0]!);
  readonly groupSize: number = this.checkSize(this.settings("bits", "group size")[1]!);

  /** Throws a TypeError for numbers of bits the method does not know. */
  protected checkBits(bits: number, known: readonly number[] = [2, 3, 4, 8]): number {
    if (known.includes(bits)) return bits;
    throw new TypeError(`The bits of \`mode\` must be one of ${known.join(", ")}. Received: ${showValue(this.mode)}.`);
  }
}

/** Weights quantized by AWQ: mode "awq/4/<group size>", -1 for one group per channel. */
export class AWQDTypePolicy extends GPTQDTypePolicy {
  static override readonly className: string = "AWQDTypePolicy";
  protected override checkBits(bits: number): number {
    return super.checkBits(bits, [4]);
  }
}

/** Weights of -1, 0 and 1, times a scale: mode "ternary". */
export class TernaryDTypePolicy extends QuantizedDTypePolicy {
  static override readonly className: string = "TernaryDTypePolicy";
}

const float8Fields = { amaxHistoryLength: positiveInt(1024) };

/** float8 training: scaling factors come from the last `amaxHistoryLength` steps. */
export class QuantizedFloat8DTypePolicy extends configure(Policy, "QuantizedFloat8DTypePolicy", {
  ...fields,
  ...float8Fields,
}) {
  protected readonly dtypes: PolicyDTypes;

  constructor(
    mode: string,
    options: { sourceName?: string | null | undefined; amaxHistoryLength?: number | undefined } = {},
  ) {
    super({ mode, ...options, sourceName: options.sourceName ?? dtypePolicy().name });
    if (mode !== "float8")
      throw new TypeError(`\`QuantizedFloat8DTypePolicy.mode\` must be "float8". Received: ${showValue(mode)}.`);
    this.dtypes = parsePolicyName(this.sourceName!);
  }
  override get name(): string {
    return `${this.mode}_from_${this.sourceName}`;
  }
  override get quantizationMode(): "float8" {
    return "float8";
  }
}

const byMode = {
  int8: QuantizedDTypePolicy,
  int4: QuantizedDTypePolicy,
  float8: QuantizedFloat8DTypePolicy,
  gptq: GPTQDTypePolicy,
  awq: AWQDTypePolicy,
  ternary: TernaryDTypePolicy,
} as const satisfies Record<QuantizationMode, unknown>;

/** The policy of a name such as "int8_from_float32"; null when the name starts with no quantization mode. */
export function quantizedPolicy(name: string): Policy | null {
  const kind = quantizationModes.find((mode) => name.startsWith(mode));
  if (!kind) return null;
  const [mode, sourceName, ...rest] = name.split("_from_");
  if (mode === undefined || sourceName === undefined || rest.length > 0)
    throw new TypeError(`A quantized policy must be named "<mode>_from_<policy>". Received: ${showValue(name)}.`);
  const PolicyClass = kind === "int4" && mode.includes("/") ? Int4DTypePolicy : byMode[kind];
  return new PolicyClass(mode, { sourceName });
}

registerBuiltins("keras.dtype_policies", {
  QuantizedDTypePolicy,
  QuantizedFloat8DTypePolicy,
  Int4DTypePolicy,
  GPTQDTypePolicy,
  AWQDTypePolicy,
  TernaryDTypePolicy,
});
