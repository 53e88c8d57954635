import { configure } from "../config/configure.js";
import { deserializeKerasObject } from "../config/deserialize.js";
import { isEnvelope } from "../config/envelope.js";
import { any, derived } from "../config/fields.js";
import { wrongValue } from "../config/make-field.js";
import type { Tensor } from "../core/tensor.js";
import { MeanOfFunction, type MetricFunction } from "./mean.js";
import type { MetricOptions } from "./metric.js";

const fields = {
  /** One value for each sample or element. */
  fn: derived(any<MetricFunction>(), (value, name): MetricFunction => {
    const fn: unknown = isEnvelope(value) ? deserializeKerasObject(value) : value;
    if (typeof fn !== "function") throw wrongValue(name, "a function of targets and predictions", value);
    return fn as MetricFunction;
  }),
};

/** Mean of any function of targets and predictions. */
export class MeanMetricWrapper extends configure(MeanOfFunction, "MeanMetricWrapper", fields) {
  constructor(fn: MetricFunction, options: MetricOptions = {}) {
    super({ fn, ...options });
  }
  override values(yTrue: Tensor, yPred: Tensor): Tensor {
    return this.fn(yTrue, yPred);
  }
}
