import { CallbackList, type CallbacksOption } from "../../callbacks/callback-list.js";
import type { History } from "../../callbacks/history.js";
import { TensorScope } from "../../core/tensor.js";
import { maxEpochs } from "../../core/limits.js";
import { showValue } from "../../utils/show-value.js";
import { checkOptions, positiveIntOrNull } from "../check-options.js";
import { bringsBatches, chooseAdapter, endsOf } from "../data/choose-adapter.js";
import type { ClassWeight } from "../data/class-weight.js";
import { checkLabels } from "../data/label-check.js";
import { readTriple } from "../data/read-batch.js";
import { unpackXYSampleWeight } from "../data/unpack.js";
import { splitForValidation } from "../data/validation-split.js";
import { EpochIterator } from "../epoch-iterator.js";
import { Breather } from "../event-loop.js";
import { LatestLogs } from "../step-logs.js";
import { TRAINER } from "../state.js";
import { isBuilt, symbolicBuild } from "../symbolic-build.js";
import type { Trainer } from "../trainer.js";
import type { DataInput, Logs } from "../types.js";
import { runEvaluation } from "./evaluate.js";
import { runEpoch } from "./loop.js";
import { epochLogs, needsBuild } from "./results.js";
import { assertCompiled } from "./running.js";
import { readVerbose, type Verbose } from "./verbose.js";

export interface FitOptions {
  /** Rows of a step; 32 by default. */
  readonly batchSize?: number | null;
  /** Passes over the data. */
  readonly epochs?: number;
  readonly verbose?: Verbose;
  readonly callbacks?: CallbacksOption;
  /** Share of the samples, from the end, that is kept for validation. */
  readonly validationSplit?: number;
  /** `[x, y]` or `[x, y, sampleWeight]`, a PyDataset or a generator; evaluated after epochs. */
  readonly validationData?: unknown;
  /** Whether rows come in another order each epoch; "batch" shuffles within batches. */
  readonly shuffle?: boolean | "batch";
  readonly classWeight?: ClassWeight | null;
  readonly sampleWeight?: DataInput;
  /** Epoch to begin with, when training is resumed. */
  readonly initialEpoch?: number;
  readonly stepsPerEpoch?: number | null;
  readonly validationSteps?: number | null;
  readonly validationBatchSize?: number | null;
  /** Validate every so many epochs, or after the epochs listed (counted from 1). */
  readonly validationFreq?: number | readonly number[];
}
const known = [
  "batchSize",
  "epochs",
  "verbose",
  "callbacks",
  "validationSplit",
  "validationData",
  "shuffle",
  "classWeight",
  "sampleWeight",
  "initialEpoch",
  "stepsPerEpoch",
  "validationSteps",
  "validationBatchSize",
  "validationFreq",
];

/** Trains for some epochs. */
export async function fit(trainer: Trainer, x: unknown, y: unknown, options: FitOptions): Promise<History> {
  assertCompiled(trainer, "fit");
  checkOptions("fit", options, known);
  const { epochs: wanted = 1, initialEpoch = 0, callbacks = null } = options;
  const epochs = Math.min(wanted, maxEpochs() ?? Infinity);
  for (const [name, value] of [
    ["epochs", wanted],
    ["initialEpoch", initialEpoch],
  ] as const)
    if (!Number.isInteger(value) || value < 0)
      throw new TypeError(`\`fit.${name}\` must be an integer >= 0. Received: ${showValue(value)}.`);
  const verbose = readVerbose(options.verbose);
  const { iterator, validation } = await prepareData(trainer, x, y, options);
  const due = validationSchedule(options.validationFreq ?? 1);

  const state = trainer[TRAINER];
  const list = new CallbackList(callbacks, {
    addHistory: true,
    addProgbar: verbose !== 0,
    verbose,
    epochs,
    steps: iterator.numBatches,
    model: trainer,
  });
  const step = trainer.makeTrainFunction();
  state.stopTraining = false;
  state.initialEpoch = null;
  const latest = new LatestLogs();
  const breather = new Breather();
  let logs: Logs = {};
  let finished = false;
  await list.call("onTrainBegin");
  try {
    // A callback may have restored an earlier run.
    const first = state.initialEpoch ?? initialEpoch;
    for (let epoch = first; epoch < epochs; epoch++) {
      trainer.resetMetrics();
      await list.callEpoch("onEpochBegin", epoch);
      const done = await runEpoch(iterator, latest, {
        kind: "Train",
        callbacks: list,
        stepsPerExecution: state.stepsPerExecution,
        step,
        stopped: () => state.stopTraining,
        breather,
      });
      if (done === 0) {
        if (epoch === first) throw new RangeError("fit: the data gave no batch.");
        break;
      }
      logs = await epochLogs(trainer, latest);
      if (validation && due(epoch)) {
        const results = await runEvaluation(trainer, validation, list, breather);
        for (const [name, value] of Object.entries(results)) logs[`val_${name}`] = value;
      }
      await list.callEpoch("onEpochEnd", epoch, logs);
      if (state.stopTraining) break;
    }
    finished = true;
  } finally {
    latest.dispose();
    if (epochs > 0) finalizeWeights(trainer);
    if (finished) await list.call("onTrainEnd", logs);
  }
  return state.history!;
}

/** Averages kept by the optimizer take the place of the weights. */
function finalizeWeights(trainer: Trainer): void {
  const { optimizer } = trainer[TRAINER];
  if (!optimizer?.built) return;
  using _ = new TensorScope();
  optimizer.finalizeVariableValues(trainer.trainableWeights);
}

async function prepareData(trainer: Trainer, x: unknown, y: unknown, options: FitOptions) {
  const { validationSplit = 0, shuffle = true, classWeight = null } = options;
  let { sampleWeight = null, validationData = null } = options as { sampleWeight?: unknown; validationData?: unknown };
  const batchSize = positiveIntOrNull(options.batchSize, "fit.batchSize");
  const steps = positiveIntOrNull(options.stepsPerEpoch, "fit.stepsPerEpoch");
  const validationSteps = positiveIntOrNull(options.validationSteps, "fit.validationSteps");
  const validationBatchSize = positiveIntOrNull(options.validationBatchSize, "fit.validationBatchSize");
  if (shuffle !== "batch" && typeof shuffle !== "boolean")
    throw new TypeError(`\`fit.shuffle\` must be true, false or "batch". Received: ${showValue(shuffle as unknown)}.`);
  if (!(validationSplit >= 0 && validationSplit < 1))
    throw new RangeError(`\`fit.validationSplit\` must be at least 0 and below 1. Received: ${validationSplit}.`);
  if (validationSplit > 0 && validationData === null) {
    if (bringsBatches(x))
      throw new TypeError("`validationSplit` needs arrays. Pass `validationData` for a PyDataset or a generator.");
    const all = await readTriple([x, y, sampleWeight], { ends: endsOf(trainer) });
    [[x, y, sampleWeight], validationData] = splitForValidation(all, validationSplit);
  }
  const adapter = await chooseAdapter({ x, y, sampleWeight, classWeight, batchSize, steps, shuffle, model: trainer });
  const iterator = new EpochIterator(adapter, steps);
  let validation: EpochIterator | null = null;
  if (validationData !== null && validationData !== undefined) {
    const [vx, vy, vw] = bringsBatches(validationData)
      ? [validationData, null, null]
      : unpackXYSampleWeight<unknown>(validationData);
    const spec = {
      x: vx,
      y: vy,
      sampleWeight: vw,
      batchSize: validationBatchSize ?? batchSize,
      steps: validationSteps,
    };
    validation = new EpochIterator(await chooseAdapter({ ...spec, model: trainer }), validationSteps);
  }
  const first = needsBuild(trainer) || !isBuilt(trainer) ? await iterator.peek() : null;
  if (first) symbolicBuild(trainer, first);
  checkLabels(trainer, adapter);
  await adapter.onEpochEnd();
  return { iterator, validation };
}

/** Whether validation follows an epoch, counted from 0. */
function validationSchedule(frequency: number | readonly number[]): (epoch: number) => boolean {
  if (Array.isArray(frequency)) return (epoch) => frequency.includes(epoch + 1);
  if (!Number.isInteger(frequency) || (frequency as number) < 1)
    throw new TypeError(
      `\`fit.validationFreq\` must be a positive integer or an array of epochs. Received: ${showValue(frequency)}.`,
    );
  return (epoch) => (epoch + 1) % (frequency as number) === 0;
}
