import { configure, type Configured } from "../config/configure.js";
import { int, type Options, type Values } from "../config/fields.js";
import { epsilon } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { aligned } from "../losses/aligned.js";
import { add, divide, multiply, square, subtract } from "../ops/arithmetic.js";
import { mean, std, variance } from "../ops/reductions.js";
import type { FunctionMean } from "./function-mean.js";
import { MeanOfFunction } from "./mean.js";
import { type MetricOptions, named } from "./metric.js";

export interface CorrelationOptions {
  axis?: number | undefined;
}
/** Pearson's correlation of targets and predictions along `axis`. */
export function pearsonCorrelation(
  yTrue: TensorLike,
  yPred: TensorLike,
  { axis = -1 }: CorrelationOptions = {},
): Tensor {
  const kept = { axis, keepdims: true };
  const [t, p] = aligned(yTrue, yPred).map((x) => {
    const centered = subtract(x, mean(x, kept));
    return divide(centered, std(centered, kept));
  }) as [Tensor, Tensor];
  return mean(multiply(t, p), { axis });
}
/** Lin's concordance correlation of targets and predictions along `axis`: 1 only where they are equal. */
export function concordanceCorrelation(
  yTrue: TensorLike,
  yPred: TensorLike,
  { axis = -1 }: CorrelationOptions = {},
): Tensor {
  const kept = { axis, keepdims: true };
  const [t, p] = aligned(yTrue, yPred);
  const [meanT, meanP] = [mean(t, kept), mean(p, kept)];
  const shared = multiply(subtract(t, meanP), subtract(p, meanP));
  const spread = add(add(variance(t, kept), variance(p, kept)), square(subtract(meanT, meanP)));
  return mean(divide(multiply(2, shared), add(spread, epsilon())), { axis });
}

const axisField = { axis: int(-1) };
export interface CorrelationMetricOptions extends MetricOptions, Options<typeof axisField> {}
/** A class of metrics that average a correlation along `axis`. */
type CorrelationClass = Omit<Configured<typeof MeanOfFunction, typeof axisField>, "prototype"> &
  (new (options?: CorrelationMetricOptions) => FunctionMean & Values<typeof axisField>);

/** What the class of a metric extends that averages a correlation; `name` is what its instances are called. */
/* @__NO_SIDE_EFFECTS__ */
function correlationMean(className: string, name: string, correlation: typeof pearsonCorrelation): CorrelationClass {
  abstract class Base extends configure(MeanOfFunction, "Correlation", axisField) {
    constructor(options: CorrelationMetricOptions = {}) {
      super(options);
    }
    override get direction(): "up" {
      return "up";
    }
    override values(yTrue: Tensor, yPred: Tensor): Tensor {
      return correlation(yTrue, yPred, { axis: this.axis });
    }
  }
  return configure(Base, className, { name: named(name) }) as unknown as CorrelationClass;
}
/** Mean of Pearson's correlation along `axis`. */
export class PearsonCorrelation extends correlationMean(
  "PearsonCorrelation",
  "pearson_correlation",
  pearsonCorrelation,
) {}
/** Mean of Lin's concordance correlation along `axis`. */
export class ConcordanceCorrelation extends correlationMean(
  "ConcordanceCorrelation",
  "concordance_correlation",
  concordanceCorrelation,
) {}
