import { configure, type Configured } from "../config/configure.js";
import type { Tensor } from "../core/tensor.js";
import { Loss, type LossOptions, named } from "./loss.js";
import { squeezeOrExpandToSameRank } from "./reduce.js";

/** One loss a sample. */
type SampleLosses = (yTrue: Tensor, yPred: Tensor) => Tensor;
/** A loss that is one function. */
export interface FunctionLoss extends Loss {
  call(yTrue: Tensor, yPred: Tensor): Tensor;
}
/** A class of losses that have no options beside those of all. */
export type FunctionLossClass = Omit<Configured<typeof Loss, { name: ReturnType<typeof named> }>, "prototype"> &
  (new (options?: LossOptions) => FunctionLoss);

/** What the class of a loss extends that is one function of targets and predictions; `name` is what its instances are called. */
/* @__NO_SIDE_EFFECTS__ */
export function functionLoss(className: string, name: string, fn: SampleLosses): FunctionLossClass {
  abstract class Base extends Loss {
    constructor(options: LossOptions = {}) {
      super(options);
    }
    override call(yTrue: Tensor, yPred: Tensor): Tensor {
      return fn(...squeezeOrExpandToSameRank(yTrue, yPred));
    }
  }
  return configure(Base, className, { name: named(name) }) as unknown as FunctionLossClass;
}
