import { valueAndGradients } from "../core/gradient.js";
import { jit } from "../core/jit.js";
import { floatx } from "../core/settings.js";
import { isFloat } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { flattenLayers } from "../layers/base/attributes.js";
import { clearLosses } from "../layers/base/losses.js";
import { sum } from "../ops/reductions.js";
import { add } from "../ops/arithmetic.js";
import { cast } from "../ops/elementwise.js";
import * as P from "../primitives/index.js";
import { flatten } from "../tree/index.js";
import { warn } from "../utils/print-warning.js";
import { type StepFunction, TRAINER } from "./state.js";
import { callModel } from "./symbolic-build.js";
import type { Trainer } from "./trainer.js";
import type { StepLogs, TensorBatch, TensorTree } from "./types.js";

/** One step of training: forward, loss, gradients, update, metrics. */
export function trainStep(trainer: Trainer, [x, y, sampleWeight]: TensorBatch): StepLogs {
  const { optimizer } = trainer[TRAINER];
  const trained = trainer.trainableVariables;
  let yPred: TensorTree = null;
  let loss: Tensor | null = null;
  const forward = (): Tensor => {
    yPred = callModel(trainer, x, true);
    loss = trainer.computeLoss(x, y, yPred, sampleWeight, { training: true });
    return optimizer ? optimizer.scaleLoss(loss) : loss;
  };
  if (optimizer && trained.length > 0) {
    const { gradients } = valueAndGradients(
      forward,
      trained.map((variable) => variable.value),
    );
    optimizer.apply(gradients, trained);
  } else {
    forward();
    warn(`The model "${trainer.name}" has no trainable weights: training does not change it.`);
  }
  trackLoss(trainer, loss!, x);
  return trainer.computeMetrics(x, y, yPred, sampleWeight);
}

/** One step of evaluation: forward, loss, metrics. */
export function testStep(trainer: Trainer, [x, y, sampleWeight]: TensorBatch): StepLogs {
  const yPred = callModel(trainer, x, false);
  trackLoss(trainer, trainer.computeLoss(x, y, yPred, sampleWeight, { training: false }), x);
  return trainer.computeMetrics(x, y, yPred, sampleWeight);
}

/** The loss so far is the mean over samples. */
function trackLoss(trainer: Trainer, loss: Tensor, x: TensorTree): void {
  const first = flatten(x as never).find((leaf) => leaf !== null) as Tensor | undefined;
  trainer[TRAINER].lossTracker?.updateState(loss, first?.shape[0] ?? 1);
}

/** The compiled losses of the outputs, and what layers and regularizers add; zero when there is nothing. */
export function computeLoss(
  trainer: Trainer,
  y: TensorTree | null,
  yPred: TensorTree,
  sampleWeight: TensorTree | null,
): Tensor {
  const compiled = trainer[TRAINER].compileLoss?.call(y, yPred, sampleWeight) ?? null;
  const added = trainer.losses.map((loss) => sum(isFloat(loss.dtype) ? loss : cast(loss, floatx())));
  const all = compiled === null ? added : [compiled, ...added];
  const [first, ...rest] = all;
  return first === undefined ? P.full([], 0, floatx()) : rest.reduce(add, first);
}

/** Results of all metrics by name, in the order of `metrics`. */
export function metricsResult(trainer: Trainer): StepLogs {
  const results: Record<string, Tensor> = {};
  for (const metric of trainer.metrics) {
    const result = metric.result();
    if (isTensorResult(result)) results[metric.name] = result;
    else Object.assign(results, result);
  }
  return results;
}
const isTensorResult = (result: unknown): result is Tensor =>
  typeof (result as { dispose?: unknown } | null)?.dispose === "function";

/** A step, compiled unless the model runs eagerly. Losses that layers hold are dropped: they belong to the step. */
export function stepFunction<R>(trainer: Trainer, step: (batch: TensorBatch) => R): StepFunction<R> {
  const run = (batch: TensorBatch): R => {
    try {
      return step(batch);
    } finally {
      clearLosses(trainer);
    }
  };
  const canCompile = flattenLayers(trainer).every(({ supportsJit }) => supportsJit);
  return trainer.runEagerly || !canCompile ? run : jit(run);
}
