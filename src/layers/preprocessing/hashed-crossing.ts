import { configure } from "../../config/configure.js";
import type { Config } from "../../config/field.js";
import { bool, oneOf, type Options, positiveInt } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import { NDArray } from "../../core/ndarray.js";
import { fromHost, type Tensor } from "../../core/tensor.js";
import { zeros } from "../../ops/creation.js";
import { fingerprint64, joinFingerprints } from "../../utils/farmhash.js";
import { u64 } from "../../utils/u64.js";
import { isShape, showShape } from "../base/shapes.js";
import { Layer, type LayerOptions } from "../layer.js";
import { encodeCategories } from "./encode-categories.js";
import { type Category, type CategoryData, type HostCategories, readCategories } from "./host-categories.js";

const fields = {
  /** Number of bins. */
  numBins: positiveInt(),
  /** "int": the bins as they are; "one_hot": a row of 0 with 1 at the bin. */
  outputMode: oneOf(["int", "one_hot"], "int"),
  /** Kept for saved models: must be false. */
  sparse: bool(false),
};
export interface HashedCrossingOptions
  extends Pick<LayerOptions, "name" | "dtype">, Omit<Options<typeof fields>, "numBins"> {}

/** Where TensorFlow begins to join fingerprints. */
const start = 0xdecafcaffen;
/** Strings stand for their fingerprint, integers for themselves. */
const numberOf = (value: Category): bigint => (typeof value === "string" ? fingerprint64(value) : u64(BigInt(value)));

export interface HashedCrossing {
  (inputs: readonly CategoryData[]): Tensor;
}
/**
 * Puts pairs (or longer tuples) of categories into bins by a hash of them together, as TensorFlow computes it. Called on an array of
 * features, strings or integers of shape [], [batch] or [batch, 1]. Not for compiled code: models with this layer run eagerly.
 */
export class HashedCrossing extends configure(Layer, "HashedCrossing", fields) {
  static override readonly callOptions: readonly string[] = [];
  override readonly supportsJit = false;

  constructor(numBins: number, options: HashedCrossingOptions = {}) {
    const { outputMode = "int", dtype } = options;
    super({ numBins, ...options, dtype: dtype ?? (outputMode === "int" ? "int64" : null) });
    if (this.sparse) throw new TypeError("`HashedCrossing.sparse` must be false: outputs are dense.");
  }
  override call(inputs: readonly CategoryData[]): Tensor {
    if (!Array.isArray(inputs) || inputs.length < 2)
      throw new TypeError(`Layer "${this.name}" must be called on an array of at least two features.`);
    const features = inputs.map((input) => readCategories(input, this.name));
    const known = features.filter((feature) => feature !== null);
    const bins =
      known.length === features.length
        ? this.cross(known)
        : zeros((inputs as readonly Tensor[])[0]!.shape, { dtype: "int32" });
    return encodeCategories(bins, this.outputMode, { depth: this.numBins, dtype: this.inputDtype });
  }
  private cross(features: readonly HostCategories[]): Tensor {
    const { shape, values } = features[0]!;
    for (const feature of features) {
      if (feature.shape.join() !== shape.join() || shape.length > 2 || (shape.length === 2 && shape[1] !== 1))
        throw new RangeError(
          `Layer "${this.name}" takes features of one shape, [], [batch] or [batch, 1]. Received shapes ${features.map((f) => showShape(f.shape)).join(", ")}.`,
        );
      if (feature.kind !== "string" && feature.kind !== "int")
        throw new TypeError(`Layer "${this.name}" takes strings and integers. Received: ${feature.kind} values.`);
    }
    const bins = values.map((_, i) => {
      const joined = features.reduce((hash, feature) => joinFingerprints(hash, numberOf(feature.values[i]!)), start);
      return Number(joined % BigInt(this.numBins));
    });
    return fromHost(new NDArray(Int32Array.from(bins), shape, "int32"));
  }
  override computeOutputShape(inputShapes: readonly SymbolicShape[]): SymbolicShape {
    const [first, second] = inputShapes;
    if (inputShapes.length !== 2 || !isShape(first) || !isShape(second))
      throw new TypeError(`Layer "${this.name}" must be called on an array of two tensors.`);
    if (first.at(-1) !== second.at(-1))
      throw new RangeError(
        `Layer "${this.name}" takes features of one shape. Received shapes ${showShape(first)} and ${showShape(second)}.`,
      );
    if (this.outputMode === "int") return first;
    return [...(first.at(-1) === 1 ? first.slice(0, -1) : first), this.numBins];
  }
  override getConfig(): Config {
    const { num_bins, output_mode, sparse, name } = super.getConfig();
    return { num_bins, output_mode, sparse, name, dtype: this.dtype };
  }
  override get takesHostData(): boolean {
    return true;
  }
}

registerBuiltins("keras.layers", { HashedCrossing });
