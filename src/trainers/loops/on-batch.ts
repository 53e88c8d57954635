import { packSequenceAs } from "../../tree/index.js";
import { TensorScope } from "../../core/tensor.js";
import { checkOptions } from "../check-options.js";
import { endsOf } from "../data/choose-adapter.js";
import type { ClassWeight } from "../data/class-weight.js";
import { readTriple } from "../data/read-batch.js";
import { owned, readLogs } from "../step-logs.js";
import { type StepFunction, TRAINER } from "../state.js";
import { buildModel, isBuilt, symbolicBuild } from "../symbolic-build.js";
import { toDevice } from "../to-device.js";
import type { Trainer } from "../trainer.js";
import type { DataInput, HostBatch, HostTree, Logs, StepLogs } from "../types.js";
import { runBatch } from "./predict.js";
import { flattenInOrder, needsBuild } from "./results.js";
import { assertCompiled } from "./running.js";

export interface TestOnBatchOptions {
  readonly sampleWeight?: DataInput;
  /** Whether results come by name instead of in an array. */
  readonly returnDict?: boolean;
}
export interface TrainOnBatchOptions extends TestOnBatchOptions {
  readonly classWeight?: ClassWeight | null;
}
type BatchResults = Logs | number | (number | number[])[];

/** One step of training on one batch; the results are those of this batch. */
export async function trainOnBatch(
  trainer: Trainer,
  x: unknown,
  y: unknown,
  options: TrainOnBatchOptions,
): Promise<BatchResults> {
  assertCompiled(trainer, "trainOnBatch");
  checkOptions("trainOnBatch", options, ["sampleWeight", "classWeight", "returnDict"]);
  const batch = await readTriple([x, y, options.sampleWeight], {
    classWeight: options.classWeight ?? null,
    ends: endsOf(trainer),
  });
  if (!trainer[TRAINER].trainFunction || needsBuild(trainer)) build(trainer, batch);
  return runStep(trainer, batch, trainer.makeTrainFunction(), options.returnDict ?? false);
}

/** Results of one batch, without training. */
export async function testOnBatch(
  trainer: Trainer,
  x: unknown,
  y: unknown,
  options: TestOnBatchOptions,
): Promise<BatchResults> {
  assertCompiled(trainer, "testOnBatch");
  checkOptions("testOnBatch", options, ["sampleWeight", "returnDict"]);
  const batch = await readTriple([x, y, options.sampleWeight], { ends: endsOf(trainer) });
  if (!trainer[TRAINER].testFunction || needsBuild(trainer)) build(trainer, batch);
  return runStep(trainer, batch, trainer.makeTestFunction(), options.returnDict ?? false);
}

/** Looks through all layers, which takes longer than a step of a small model: not for models whose step has been made. */
function build(trainer: Trainer, batch: HostBatch): void {
  if (needsBuild(trainer) || !isBuilt(trainer)) symbolicBuild(trainer, batch);
}

async function runStep(
  trainer: Trainer,
  batch: HostBatch,
  step: StepFunction<StepLogs>,
  returnDict: boolean,
): Promise<BatchResults> {
  let logs: StepLogs;
  {
    using _ = new TensorScope();
    trainer.resetMetrics();
    logs = owned(step(toDevice(batch)));
  }
  const values = await readLogs(logs);
  for (const tensor of Object.values(logs)) tensor.dispose();
  return returnDict ? values : flattenInOrder(trainer, values);
}

/** Outputs for one batch. */
export async function predictOnBatch(trainer: Trainer, x: unknown): Promise<HostTree> {
  const batch = await readTriple([x, null, null], { ends: endsOf(trainer) });
  if (!trainer[TRAINER].predictFunction && !isBuilt(trainer)) buildModel(trainer, batch[0]);
  const { structure, arrays } = runBatch(trainer.makePredictFunction(), batch);
  return packSequenceAs(structure, await arrays) as HostTree;
}
