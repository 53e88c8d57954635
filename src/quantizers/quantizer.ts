import { Configurable } from "../config/configurable.js";
import { configure } from "../config/configure.js";
import { makeLookup } from "../config/lookup.js";
import { derived, float, intList, intOrInts, optional, type Options, string } from "../config/fields.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { showValue } from "../utils/show-value.js";
import { absMaxQuantize, type ValueRange } from "./abs-max.js";

export interface QuantizeOptions {
  /** The axes that share a scale; those of the quantizer, else the last, when left out. */
  readonly axis?: number | readonly number[] | null | undefined;
  /** For calls that follow Python: there it computes on the host, which changes no result. */
  readonly toNumpy?: boolean | undefined;
}

export interface Quantizer {
  (x: TensorLike, options?: QuantizeOptions): [quantized: Tensor, scale: Tensor];
}
/** Base of what turns tensors into integers and scales. Subclasses define `call`. */
export abstract class Quantizer extends configure(Configurable, "Quantizer", {}) {
  static override readonly module: string = "keras.quantizers";
  /** Dtype of the quantized values. */
  abstract readonly outputDtype: string;
  /** The quantized values and their scale. */
  abstract call(x: TensorLike, options?: QuantizeOptions): [quantized: Tensor, scale: Tensor];
  protected override invoke(x: TensorLike, options: QuantizeOptions = {}): [quantized: Tensor, scale: Tensor] {
    return this.call(x, options);
  }
}

const rangeField = (fallback: ValueRange) =>
  derived(intList(fallback), (range, name): ValueRange => {
    const [low, high] = range;
    if (range.length === 2 && low! < high!) return [low!, high!];
    throw new TypeError(`\`${name}\` must be two integers, the smaller first. Received: ${showValue(range)}.`);
  });
const fields = {
  valueRange: rangeField([-127, 127]),
  epsilon: float(1e-7),
  outputDtype: string("int8"),
  axis: derived(optional(intOrInts(), null, { saved: "whenSet" }), (axis) =>
    typeof axis === "number" ? [axis] : axis,
  ),
};
export interface AbsMaxQuantizerOptions extends Options<typeof fields> {}

/** Scales by the largest magnitude along an axis: see `absMaxQuantize`. Throws when `valueRange` does not fit int8. */
export class AbsMaxQuantizer extends configure(Quantizer, "AbsMaxQuantizer", fields) {
  constructor(options: AbsMaxQuantizerOptions = {}) {
    super(options);
    const [low, high] = this.valueRange;
    if ((options.outputDtype ?? "int8") === "int8" && (low < -128 || high > 127))
      throw new TypeError(
        `\`AbsMaxQuantizer.valueRange\` must lie within [-128, 127] for int8. Received: [${low}, ${high}].`,
      );
  }
  override call(x: TensorLike, { axis = null }: QuantizeOptions = {}): [quantized: Tensor, scale: Tensor] {
    const { valueRange, epsilon, outputDtype: dtype } = this;
    return absMaxQuantize(x, axis ?? this.axis ?? -1, { valueRange, epsilon, dtype });
  }
}

/** Finds quantizers by name, config, class or instance. */
export const quantizers = makeLookup({
  kind: "quantizer",
  module: "keras.quantizers",
  objects: { AbsMaxQuantizer },
  accepts: (value): value is Quantizer => value instanceof Quantizer,
});
