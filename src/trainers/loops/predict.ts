import { CallbackList, type CallbacksOption } from "../../callbacks/callback-list.js";
import { engine } from "../../core/engine.js";
import { allocate, NDArray, sizeOf, type TypedArray } from "../../core/ndarray.js";
import { Tensor, TensorScope } from "../../core/tensor.js";
import { flatten, packSequenceAs } from "../../tree/index.js";
import { checkOptions, positiveIntOrNull } from "../check-options.js";
import { chooseAdapter } from "../data/choose-adapter.js";
import { EpochIterator } from "../epoch-iterator.js";
import { Breather } from "../event-loop.js";
import { runStep } from "../run-step.js";
import { type StepFunction, TRAINER } from "../state.js";
import { buildModel, isBuilt } from "../symbolic-build.js";
import { toDevice } from "../to-device.js";
import type { Trainer } from "../trainer.js";
import type { HostBatch, HostTree, TensorTree } from "../types.js";
import { readVerbose, type Verbose } from "./verbose.js";

export interface PredictOptions {
  readonly batchSize?: number | null;
  readonly verbose?: Verbose;
  /** Batches to predict; all by default. */
  readonly steps?: number | null;
  readonly callbacks?: CallbacksOption;
}
const known = ["batchSize", "verbose", "steps", "callbacks"];

/** Outputs for the data, as host arrays in the outputs' structure. */
export async function predict(trainer: Trainer, x: unknown, options: PredictOptions): Promise<HostTree> {
  checkOptions("predict", options, known);
  const steps = positiveIntOrNull(options.steps, "predict.steps");
  const batchSize = positiveIntOrNull(options.batchSize, "predict.batchSize");
  const verbose = readVerbose(options.verbose);
  let adapter = chooseAdapter({ x, batchSize, steps, model: trainer });
  if (adapter instanceof Promise) adapter = await adapter;
  const iterator = new EpochIterator(adapter, steps);
  // Searching all layers takes longer than a prediction of a small model.
  if (!trainer[TRAINER].predictFunction && !isBuilt(trainer)) {
    const first = await iterator.peek();
    if (first) buildModel(trainer, first[0]);
  }
  const callbacks = new CallbackList(options.callbacks ?? null, {
    addProgbar: verbose !== 0,
    verbose,
    epochs: 1,
    steps: iterator.numBatches,
    model: trainer,
  });
  const state = trainer[TRAINER];
  const step = trainer.makePredictFunction();
  state.stopPredicting = false;
  await callbacks.call("onPredictBegin");
  const parts: NDArray[][] = [];
  let structure: unknown = null;
  let done = 0;
  const breather = new Breather();
  await iterator.begin();
  for (;;) {
    let batch = iterator.next();
    if (batch instanceof Promise) batch = await batch;
    if (batch === null) break;
    const begun = callbacks.callBatchBegin("onPredictBatchBegin", done);
    if (begun) await begun;
    let result: BatchOutputs | null = null;
    const finished = runStep(step, batch, (tensors) => void (result = readOutputs(tensors)));
    if (finished) await finished;
    const { arrays, structure: packed } = result! as BatchOutputs;
    const outputs = arrays instanceof Promise ? await arrays : arrays;
    structure = packed;
    outputs.forEach((array, i) => (parts[i] ??= []).push(array));
    const ended = callbacks.callBatchEnd("onPredictBatchEnd", done++, () => ({}));
    if (ended) await ended;
    if (state.stopPredicting) break;
    if (breather.isDue) await breather.breathe();
  }
  if (parts.length === 0) throw new RangeError("predict: the data gave no batch.");
  await callbacks.call("onPredictEnd");
  return packSequenceAs(structure, parts.map(concatenated)) as HostTree;
}

/** Outputs for one batch, and the structure they come in. */
export interface BatchOutputs {
  readonly structure: unknown;
  readonly arrays: NDArray[] | Promise<NDArray[]>;
}
/** Runs a step on the main thread and reads its outputs. */
export function runBatch(step: StepFunction<TensorTree>, batch: HostBatch): BatchOutputs {
  using _ = new TensorScope();
  return readOutputs(step(toDevice(batch)));
}
function readOutputs(outputs: TensorTree): BatchOutputs {
  const leaves = flatten<Tensor>(outputs as never);
  const structure =
    outputs instanceof Tensor
      ? null
      : packSequenceAs(
          outputs,
          leaves.map(() => null),
        );
  const arrays = leaves.map((leaf) => engine().toHost(leaf.handle));
  return {
    structure,
    arrays: arrays.some((array) => array instanceof Promise) ? Promise.all(arrays) : (arrays as NDArray[]),
  };
}

/** Batches put together along the first axis. */
function concatenated(parts: readonly NDArray[]): NDArray {
  const [first] = parts;
  if (parts.length === 1) return first!;
  const tail = first!.shape.slice(1);
  const row = sizeOf(tail) * (first!.dtype === "complex64" ? 2 : 1);
  const count = parts.reduce((sum, { shape }) => sum + shape[0]!, 0);
  const data: TypedArray = allocate(first!.dtype, count * sizeOf(tail));
  let at = 0;
  for (const part of parts) {
    if (
      part.ndim === 0 ||
      part.shape.length !== first!.ndim ||
      part.shape.some((dim, i) => i > 0 && dim !== first!.shape[i])
    )
      throw new RangeError(
        `predict: batches gave outputs of shapes [${first!.shape}] and [${part.shape}], which cannot be put together.`,
      );
    (data as Float32Array).set(part.contiguous().data as Float32Array, at);
    at += part.shape[0]! * row;
  }
  return new NDArray(data, [count, ...tail], first!.dtype);
}
