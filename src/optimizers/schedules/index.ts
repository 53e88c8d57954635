import { deserializeKerasObject, type DeserializeOptions } from "../../config/deserialize.js";
import { serializeKerasObject } from "../../config/serialize.js";
import type { LearningRateSchedule } from "./learning-rate-schedule.js";

/** `keras.optimizers.schedules`: learning rates that depend on the step. */
export { CosineDecay, type CosineDecayOptions } from "./cosine-decay.js";
export { CosineDecayRestarts, type CosineDecayRestartsOptions } from "./cosine-decay-restarts.js";
export { ExponentialDecay, type ExponentialDecayOptions } from "./exponential-decay.js";
export { InverseTimeDecay, type InverseTimeDecayOptions } from "./inverse-time-decay.js";
export { LearningRateSchedule } from "./learning-rate-schedule.js";
export { PiecewiseConstantDecay, type PiecewiseConstantDecayOptions } from "./piecewise-constant-decay.js";
export { PolynomialDecay, type PolynomialDecayOptions } from "./polynomial-decay.js";

/** The saved form of a schedule. */
export const serialize = (schedule: LearningRateSchedule): unknown => serializeKerasObject(schedule);
/** A schedule from its saved form. */
export const deserialize = (config: unknown, options: DeserializeOptions = {}): LearningRateSchedule =>
  deserializeKerasObject(config, options) as LearningRateSchedule;
