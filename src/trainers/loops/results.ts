import { TensorScope } from "../../core/tensor.js";
import { CompileMetrics } from "../compile/compile-metrics.js";
import { type LatestLogs, owned, readLogs } from "../step-logs.js";
import { TRAINER } from "../state.js";
import { metricsResult } from "../steps.js";
import type { Trainer } from "../trainer.js";
import type { Logs, StepLogs } from "../types.js";

/** Whether losses, metrics or the optimizer have not taken shape yet. */
export function needsBuild(trainer: Trainer): boolean {
  const { compileLoss, compileMetrics, optimizer } = trainer[TRAINER];
  return compileLoss?.built === false || compileMetrics?.built === false || optimizer?.built === false;
}

/** The results of an epoch: of the metrics, unless the steps report under other names; then of the last step. */
export async function epochLogs(trainer: Trainer, latest: LatestLogs): Promise<Logs> {
  if (!trainer.overridesSteps) return latest.read();
  const logs = await readMetrics(trainer);
  const names = Object.keys(logs);
  const same = names.length === latest.names.length && latest.names.every((name) => name in logs);
  if (!same) return latest.read();
  // Steps of a class's own may report a loss that they do not track.
  return (await hasTrackedLoss(trainer)) ? logs : { ...logs, loss: (await latest.read())["loss"]! };
}
async function hasTrackedLoss(trainer: Trainer): Promise<boolean> {
  const count = trainer[TRAINER].lossTracker?.variables[1];
  return count === undefined || (await count.numpy()).numbers()[0] !== 0;
}

/** The results of all metrics, read from the engine. */
async function readMetrics(trainer: Trainer): Promise<Logs> {
  let results: StepLogs;
  {
    using _ = new TensorScope();
    results = owned(metricsResult(trainer));
  }
  try {
    return await readLogs(results);
  } finally {
    for (const tensor of Object.values(results)) tensor.dispose();
  }
}

/** Results in an array, in the order of the metrics, then others by name; a single one as it is. */
export function flattenInOrder(trainer: Trainer, logs: Logs): number | (number | number[])[] {
  const [only, ...more] = Object.values(logs);
  if (only !== undefined && more.length === 0) return only as number;
  const names = trainer.metrics.flatMap((metric) =>
    metric instanceof CompileMetrics ? metric.metrics.map(({ name }) => name!) : [metric.name],
  );
  const known = names.filter((name) => name in logs);
  const others = Object.keys(logs)
    .filter((name) => !names.includes(name))
    .sort();
  return [...known, ...others].map((name) => logs[name]!);
}
