import { makeLookup } from "../config/lookup.js";
import { Adadelta } from "./adadelta.js";
import { Adafactor } from "./adafactor.js";
import { Adagrad } from "./adagrad.js";
import { AdamW } from "./adam-w.js";
import { Adam } from "./adam.js";
import { Adamax } from "./adamax.js";
import { Ftrl } from "./ftrl.js";
import { Lamb } from "./lamb.js";
import { Lion } from "./lion.js";
import { LossScaleOptimizer } from "./loss-scale-optimizer.js";
import { Muon } from "./muon.js";
import { Nadam } from "./nadam.js";
import { Optimizer } from "./optimizer.js";
import { RMSprop } from "./rmsprop.js";
import { ScheduleFreeAdamW } from "./schedule-free-adam-w.js";
import { SGD } from "./sgd.js";

export { Adadelta, type AdadeltaOptions } from "./adadelta.js";
export { Adafactor, type AdafactorOptions } from "./adafactor.js";
export { Adagrad, type AdagradOptions } from "./adagrad.js";
export { AdamW, type AdamWOptions } from "./adam-w.js";
export { Adam, type AdamOptions } from "./adam.js";
export { Adamax, type AdamaxOptions } from "./adamax.js";
export { Ftrl, type FtrlOptions } from "./ftrl.js";
export { Lamb, type LambOptions } from "./lamb.js";
export { Lion, type LionOptions } from "./lion.js";
export { LossScaleOptimizer, type LossScaleOptimizerOptions } from "./loss-scale-optimizer.js";
export { Muon, type MuonOptions } from "./muon.js";
export { Nadam, type NadamOptions } from "./nadam.js";
export { Optimizer, type OptimizerOptions } from "./optimizer.js";
export { RMSprop, type RMSpropOptions } from "./rmsprop.js";
export { ScheduleFreeAdamW, type ScheduleFreeAdamWOptions } from "./schedule-free-adam-w.js";
export { SGD, type SGDOptions } from "./sgd.js";
export * as schedules from "./schedules/index.js";

/** Finds optimizers by lower-case class name, config, class or instance. As in Python Keras, Lamb has no name here. */
export const optimizers = makeLookup({
  kind: "optimizer",
  module: "keras.optimizers",
  objects: {
    Adam,
    RMSprop,
    SGD,
    Adadelta,
    Adafactor,
    Adagrad,
    AdamW,
    Adamax,
    Ftrl,
    Lion,
    LossScaleOptimizer,
    Muon,
    Nadam,
    ScheduleFreeAdamW,
  },
  aliases: { adamw: AdamW, schedulefreeadamw: ScheduleFreeAdamW },
  onlySaved: { Lamb },
  snakeNames: false,
  ignoreCase: true,
  accepts: (value): value is Optimizer => value instanceof Optimizer,
});
/** The optimizer that a name, config, class or instance stands for. */
export const { get, serialize, deserialize } = optimizers;
