import { configure } from "../../config/configure.js";
import { any, bool, derived, oneOf, optional, type Options, positiveInt } from "../../config/fields.js";
import { wrongValue } from "../../config/make-field.js";
import { registerBuiltins } from "../../config/registry.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import { NDArray } from "../../core/ndarray.js";
import { fromHost, type Tensor } from "../../core/tensor.js";
import { zeros } from "../../ops/creation.js";
import { fingerprint64 } from "../../utils/farmhash.js";
import { sipHash } from "../../utils/siphash.js";
import { u64 } from "../../utils/u64.js";
import { Layer, type LayerOptions } from "../layer.js";
import { encodeCategories, encodings } from "./encode-categories.js";
import { type Category, type CategoryData, type HostCategories, readCategories } from "./host-categories.js";

type Salt = number | readonly number[];
const fields = {
  /** Number of bins. */
  numBins: positiveInt(),
  /** A value that goes to bin 0, which no other value then gets. */
  maskValue: optional(any<string | number>()),
  /** One or two integers: the key of another hash, SipHash, which those who do not know it cannot foresee. */
  salt: optional(
    derived(any<Salt>(), (value, name): readonly number[] => {
      const pair = typeof value === "number" ? [value, value] : value;
      if (!Array.isArray(pair) || pair.length !== 2 || !pair.every(Number.isInteger))
        throw wrongValue(name, "one or two integers", value);
      return pair;
    }),
  ),
  /** How bins are written; see `CategoryEncoding`. "int": as they are. */
  outputMode: oneOf(encodings, "int"),
  /** Kept for saved models: outputs are always dense. */
  sparse: bool(false),
};
export interface HashingOptions extends LayerOptions, Omit<Options<typeof fields>, "numBins"> {}

export interface Hashing {
  (inputs: CategoryData): Tensor;
}
/**
 * Puts strings and integers into bins by their hash, as TensorFlow computes it (FarmHash's fingerprint). Strings come in nested arrays. Not
 * for compiled code: models with this layer run eagerly.
 */
export class Hashing extends configure(Layer, "Hashing", fields) {
  static override readonly callOptions: readonly string[] = [];
  override readonly supportsJit = false;

  constructor(numBins: number, options: HashingOptions = {}) {
    const { outputMode = "int", dtype } = options;
    super({ numBins, ...options, dtype: dtype ?? (outputMode === "int" ? "int64" : null) });
    if (this.outputMode === "int" && !/^int(32|64)$/.test(this.dtype))
      throw new TypeError(
        `\`Hashing.dtype\` must be "int32" or "int64" when \`outputMode\` is "int". Received: ${JSON.stringify(this.dtype)}.`,
      );
    if (this.outputMode === "int" && this.sparse)
      throw new TypeError('`Hashing.sparse` may be true only when `outputMode` is not "int".');
  }
  override call(inputs: CategoryData): Tensor {
    const categories = readCategories(inputs, this.name);
    const bins = categories ? this.binsOf(categories) : zeros((inputs as Tensor).shape, { dtype: "int32" });
    return encodeCategories(bins, this.outputMode, { depth: this.numBins, dtype: this.inputDtype });
  }
  private binsOf({ shape, values }: HostCategories): Tensor {
    const reserved = this.maskValue !== null && this.numBins > 1 ? 1 : 0;
    const count = BigInt(this.numBins - reserved);
    const key = this.salt?.map((part) => u64(BigInt(part))) as [bigint, bigint] | undefined;
    const isMasked = (value: Category): boolean =>
      reserved > 0 && (typeof value === "string" ? value : Number(value)) === this.maskValue;
    const bins = values.map((value) => {
      if (isMasked(value)) return 0;
      const text = String(typeof value === "number" ? Math.trunc(value) : value);
      return Number((key ? sipHash(text, key) : fingerprint64(text)) % count) + reserved;
    });
    return fromHost(new NDArray(Int32Array.from(bins), shape, "int32"));
  }
  override computeOutputShape(inputShape: SymbolicShape): SymbolicShape {
    return this.outputMode === "int" ? inputShape : [...inputShape.slice(0, -1), this.numBins];
  }
  override get takesHostData(): boolean {
    return true;
  }
}

registerBuiltins("keras.layers", { Hashing });
