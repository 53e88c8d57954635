import { TensorScope, type Tensor } from "../core/tensor.js";
import { isSchedule } from "../optimizers/learning-rate.js";
import type { Optimizer } from "../optimizers/index.js";
import type { Trainer } from "../trainers/trainer.js";

/** The optimizer of a trained model; throws when it has none. */
export function optimizerOf(model: Trainer, callback: string): Optimizer {
  if (!model.optimizer) throw new Error(`${callback} needs a compiled model with an optimizer.`);
  return model.optimizer;
}

/** The learning rate of the moment, rounded to float32 as the optimizer's variable holds it. */
export function learningRateOf(optimizer: Optimizer): number | Promise<number> {
  const rate = optimizer.learningRate;
  if (typeof rate === "number") return Math.fround(rate);
  let value: Promise<number>;
  {
    using _ = new TensorScope();
    const given: Tensor | number = isSchedule(rate) ? rate(optimizer.variables[0]!.value) : rate();
    if (typeof given === "number") return Math.fround(given);
    value = given.item();
  }
  return value;
}
