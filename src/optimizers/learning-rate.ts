import { deserializeKerasObject } from "../config/deserialize.js";
import { isEnvelope } from "../config/envelope.js";
import { accessor, type Field } from "../config/fields.js";
import { makeField, wrongValue } from "../config/make-field.js";
import { serializeValue } from "../config/serialize.js";
import { pyFloat } from "../utils/py-float.js";
import type { Tensor } from "../core/tensor.js";

/** A learning rate that depends on the step: from the int32 iteration to a scalar. */
export interface Schedule {
  (step: Tensor): Tensor;
  getConfig(): Record<string, unknown>;
}
/** A number, a schedule, or a function without arguments that gives the rate of the moment. */
export type LearningRate = number | Schedule | (() => Tensor | number);
export const isSchedule = (rate: unknown): rate is Schedule =>
  typeof rate === "function" && typeof (rate as Partial<Schedule>).getConfig === "function";

/** The learning rate of an optimizer; numbers are saved rounded to float32, as the variable holds them. */
export function learningRate(fallback: number): Field<LearningRate, LearningRate, false> & { readonly accessor: true } {
  return accessor(
    makeField<LearningRate, LearningRate>(
      fallback,
      {},
      (value, name) => {
        if (typeof value === "number" || typeof value === "function") return value;
        if (isEnvelope(value)) return deserializeKerasObject(value) as Schedule;
        throw wrongValue(name, "a number, a LearningRateSchedule or a function", value);
      },
      (value) => (typeof value === "number" ? pyFloat(Math.fround(value)) : serializeValue(value)),
    ) as Field<LearningRate, LearningRate, false>,
  );
}
