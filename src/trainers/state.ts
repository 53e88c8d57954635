import type { Jitted } from "../core/jit.js";
import type { Optimizer } from "../optimizers/index.js";
import type { Mean } from "../metrics/index.js";
import type { History } from "../callbacks/history.js";
import type { CompileLoss } from "./compile/compile-loss.js";
import type { CompileMetrics } from "./compile/compile-metrics.js";
import type { CompileArguments } from "./compile/compile-arguments.js";
import type { StepLogs, TensorBatch, TensorTree } from "./types.js";

/** A step on one batch: imperative code, or its compiled form. */
export type StepFunction<R> = ((batch: TensorBatch) => R) &
  Partial<Pick<Jitted<[TensorBatch], R>, "async" | "dispose">>;

/** What a trainer keeps for itself. Held under a symbol, so that the search for sublayers and metrics does not see it. */
export interface TrainerState {
  compiled: boolean;
  /** What `compile` was given, for saving. */
  compileArguments: CompileArguments | null;
  optimizer: Optimizer | null;
  compileLoss: CompileLoss | null;
  compileMetrics: CompileMetrics | null;
  lossTracker: Mean | null;
  runEagerly: boolean;
  stepsPerExecution: number;
  jitCompile: boolean;
  trainFunction: StepFunction<StepLogs> | null;
  testFunction: StepFunction<StepLogs> | null;
  predictFunction: StepFunction<TensorTree> | null;
  stopTraining: boolean;
  stopEvaluating: boolean;
  stopPredicting: boolean;
  /** Where training goes on, when a callback restored an earlier run. */
  initialEpoch: number | null;
  history: History | null;
  /** The loops that are running: two of a kind would overwrite each other's state. */
  readonly running: Set<string>;
}

/** Where a trainer keeps its state. */
export const TRAINER: unique symbol = Symbol("keras.trainer.state");

export const makeTrainerState = (): TrainerState => ({
  compiled: false,
  compileArguments: null,
  optimizer: null,
  compileLoss: null,
  compileMetrics: null,
  lossTracker: null,
  runEagerly: false,
  stepsPerExecution: 1,
  jitCompile: true,
  trainFunction: null,
  testFunction: null,
  predictFunction: null,
  stopTraining: false,
  stopEvaluating: false,
  stopPredicting: false,
  initialEpoch: null,
  history: null,
  running: new Set(),
});
