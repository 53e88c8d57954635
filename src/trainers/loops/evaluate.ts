import { CallbackList, type CallbacksOption } from "../../callbacks/callback-list.js";
import { checkOptions, positiveIntOrNull } from "../check-options.js";
import { chooseAdapter } from "../data/choose-adapter.js";
import { EpochIterator } from "../epoch-iterator.js";
import type { Breather } from "../event-loop.js";
import { LatestLogs } from "../step-logs.js";
import { TRAINER } from "../state.js";
import { isBuilt, symbolicBuild } from "../symbolic-build.js";
import type { Trainer } from "../trainer.js";
import type { DataInput, Logs } from "../types.js";
import { epochLogs, flattenInOrder, needsBuild } from "./results.js";
import { runEpoch } from "./loop.js";
import { assertCompiled } from "./running.js";
import { readVerbose, type Verbose } from "./verbose.js";

export interface EvaluateOptions {
  readonly batchSize?: number | null;
  readonly verbose?: Verbose;
  readonly sampleWeight?: DataInput;
  /** Batches to evaluate; all by default. */
  readonly steps?: number | null;
  readonly callbacks?: CallbacksOption;
  /** Whether results come by name instead of in an array. */
  readonly returnDict?: boolean;
}
const known = ["batchSize", "verbose", "sampleWeight", "steps", "callbacks", "returnDict"];

/** Loss and metrics over the data. */
export async function evaluate(
  trainer: Trainer,
  x: unknown,
  y: unknown,
  options: EvaluateOptions,
): Promise<Logs | number | (number | number[])[]> {
  assertCompiled(trainer, "evaluate");
  checkOptions("evaluate", options, known);
  const { sampleWeight = null, callbacks = null, returnDict = false } = options;
  const steps = positiveIntOrNull(options.steps, "evaluate.steps");
  const verbose = readVerbose(options.verbose);
  const adapter = await chooseAdapter({
    x,
    y,
    sampleWeight,
    batchSize: positiveIntOrNull(options.batchSize, "evaluate.batchSize"),
    steps,
    model: trainer,
  });
  const iterator = new EpochIterator(adapter, steps);
  const list = new CallbackList(callbacks, {
    addProgbar: verbose !== 0,
    verbose,
    epochs: 1,
    steps: iterator.numBatches,
    model: trainer,
  });
  const logs = await runEvaluation(trainer, iterator, list);
  return returnDict ? logs : flattenInOrder(trainer, logs);
}

/** The loop of `evaluate`, also for validation inside `fit`, whose callbacks it then calls. */
export async function runEvaluation(
  trainer: Trainer,
  iterator: EpochIterator,
  callbacks: CallbackList,
  breather?: Breather,
): Promise<Logs> {
  const state = trainer[TRAINER];
  if (needsBuild(trainer) || !isBuilt(trainer)) {
    const first = await iterator.peek();
    if (first) symbolicBuild(trainer, first);
  }
  const step = trainer.makeTestFunction();
  state.stopEvaluating = false;
  await iterator.adapter.onEpochEnd();
  await callbacks.call("onTestBegin");
  trainer.resetMetrics();
  const latest = new LatestLogs();
  try {
    const done = await runEpoch(iterator, latest, {
      kind: "Test",
      callbacks,
      stepsPerExecution: state.stepsPerExecution,
      step,
      stopped: () => state.stopEvaluating,
      ...(breather && { breather }),
    });
    if (done === 0) throw new RangeError("evaluate: the data gave no batch.");
    const logs = await epochLogs(trainer, latest);
    await callbacks.call("onTestEnd", logs);
    return logs;
  } finally {
    latest.dispose();
  }
}
