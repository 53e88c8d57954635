import { configure } from "../../config/configure.js";
import { list, number, type Options, string } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { toTensor } from "../../core/convert.js";
import { isFloat } from "../../core/dtype.js";
import { floatx } from "../../core/settings.js";
import type { Tensor } from "../../core/tensor.js";
import { greater, where } from "../../ops/logic.js";
import { LearningRateSchedule } from "./learning-rate-schedule.js";

const fields = {
  /** The last steps of all values but the last, in ascending order. */
  boundaries: list(number()),
  /** One more than there are boundaries. */
  values: list(number()),
  name: string("PiecewiseConstant"),
};
export interface PiecewiseConstantDecayOptions extends Omit<Options<typeof fields>, "boundaries" | "values"> {}

/** The first value up to the first boundary, then the second, and so on. */
export class PiecewiseConstantDecay extends configure(LearningRateSchedule, "PiecewiseConstantDecay", fields) {
  constructor(boundaries: readonly number[], values: readonly number[], options: PiecewiseConstantDecayOptions = {}) {
    super({ boundaries, values, ...options });
    if (boundaries.length !== values.length - 1)
      throw new RangeError(
        `\`PiecewiseConstantDecay.values\` must be one more than the boundaries. Received: ${values.length} values and ${boundaries.length} boundaries.`,
      );
  }
  override call(step: Tensor): Tensor {
    const rates = this.values.map((value) => toTensor(value, floatx()));
    const edges = this.boundaries.map((edge) => (isFloat(step.dtype) ? edge : Math.trunc(edge)));
    return edges.reduce((rate, edge, i) => where(greater(step, edge), rates[i + 1]!, rate), rates[0]!);
  }
}

registerBuiltins("keras.optimizers.schedules", { PiecewiseConstantDecay });
