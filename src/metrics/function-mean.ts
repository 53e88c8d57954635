import { configure, type Configured } from "../config/configure.js";
import type { Tensor } from "../core/tensor.js";
import { squeezeOrExpandToSameRank } from "../losses/reduce.js";
import { MeanOfFunction, type MetricFunction } from "./mean.js";
import { type MetricOptions, named } from "./metric.js";

/** A metric that averages one function. */
export interface FunctionMean extends MeanOfFunction {
  values(yTrue: Tensor, yPred: Tensor): Tensor;
}
/** A class of metrics that have no options beside those of all. */
export type FunctionMeanClass = Omit<
  Configured<typeof MeanOfFunction, { name: ReturnType<typeof named> }>,
  "prototype"
> &
  (new (options?: MetricOptions) => FunctionMean);

/** What the class of a metric extends that averages a function of targets and predictions; `name` is what its instances are called. */
/* @__NO_SIDE_EFFECTS__ */
export function functionMean(
  className: string,
  name: string,
  direction: "up" | "down",
  fn: MetricFunction,
): FunctionMeanClass {
  abstract class Base extends MeanOfFunction {
    constructor(options: MetricOptions = {}) {
      super(options);
    }
    override get direction(): "up" | "down" {
      return direction;
    }
    override values(yTrue: Tensor, yPred: Tensor): Tensor {
      return fn(yTrue, yPred);
    }
  }
  return configure(Base, className, { name: named(name) }) as unknown as FunctionMeanClass;
}

/** `functionMean` of a loss, which takes targets and predictions of one rank. */
/* @__NO_SIDE_EFFECTS__ */
export const lossMean = (className: string, name: string, loss: MetricFunction): FunctionMeanClass =>
  functionMean(className, name, "down", (yTrue, yPred) => loss(...squeezeOrExpandToSameRank(yTrue, yPred)));
