import { configure } from "../config/configure.js";
import { deserializeKerasObject } from "../config/deserialize.js";
import type { Config } from "../config/field.js";
import type { NDArray } from "../core/ndarray.js";
import { TensorScope, type Tensor } from "../core/tensor.js";
import type { History } from "../callbacks/history.js";
import { Layer } from "../layers/layer.js";
import { flattenLayers, type TrackedMetric } from "../layers/base/attributes.js";
import { Mean } from "../metrics/index.js";
import { LossScaleOptimizer, type Optimizer } from "../optimizers/index.js";
import { warn } from "../utils/print-warning.js";
import { CompileLoss } from "./compile/compile-loss.js";
import { CompileMetrics } from "./compile/compile-metrics.js";
import {
  compileConfig,
  type CompileOptions,
  compileOptionsFrom,
  readCompileOptions,
} from "./compile/compile-arguments.js";
import { evaluate, type EvaluateOptions } from "./loops/evaluate.js";
import { fit, type FitOptions } from "./loops/fit.js";
import {
  predictOnBatch,
  testOnBatch,
  type TestOnBatchOptions,
  trainOnBatch,
  type TrainOnBatchOptions,
} from "./loops/on-batch.js";
import { predict, type PredictOptions } from "./loops/predict.js";
import { exclusively } from "./loops/running.js";
import { makeTrainerState, type StepFunction, TRAINER } from "./state.js";
import { computeLoss, metricsResult, stepFunction, testStep, trainStep } from "./steps.js";
import { buildOptimizer, callModel } from "./symbolic-build.js";
import type { DataInput, HostTree, Logs, StepLogs, TensorBatch, TensorTree } from "./types.js";

/** Losses and metrics in the order of `metrics`; the loss alone when there is nothing else. */
export type Results = number | (number | number[])[];

/** A layer that can be trained: `compile` says how, then `fit`, `evaluate` and `predict` run. */
export abstract class Trainer extends configure(Layer, "Trainer", {}) {
  /** @internal */
  readonly [TRAINER] = makeTrainerState();

  /**
   * Says how to train: optimizer, losses, metrics.
   * @throws TypeError on unknown options and names.
   */
  compile(options: CompileOptions = {}): void {
    const args = readCompileOptions(options);
    const state = this[TRAINER];
    const names = (this as { outputNames?: readonly string[] }).outputNames ?? null;
    this.#forgetFunctions();
    state.compileArguments = args;
    // Gradients of a model in float16 would vanish.
    const scales = args.autoScaleLoss && this.dtypePolicy.name === "mixed_float16";
    state.optimizer =
      scales && args.optimizer && !(args.optimizer instanceof LossScaleOptimizer)
        ? new LossScaleOptimizer(args.optimizer, { name: "loss_scale_optimizer" })
        : args.optimizer;
    state.compileLoss = args.loss === null ? null : new CompileLoss(args.loss, args.lossWeights, names);
    state.compileMetrics =
      args.metrics === null && args.weightedMetrics === null
        ? null
        : new CompileMetrics(args.metrics, args.weightedMetrics, names);
    state.lossTracker = new Mean({ name: "loss" });
    state.runEagerly = args.runEagerly;
    state.stepsPerExecution = args.stepsPerExecution;
    state.jitCompile = args.jitCompile;
    state.stopTraining = false;
    state.compiled = true;
  }
  /** The arguments of `compile`, as Python Keras saves them; empty before it. */
  getCompileConfig(): Config {
    const args = this[TRAINER].compileArguments;
    return args ? compileConfig(args) : {};
  }
  /** Compiles as a saved model was compiled. Does nothing but warn when `compile` is overridden. */
  compileFromConfig(config: Config): void {
    if (this.compile !== Trainer.prototype.compile) {
      warn(
        `The model "${this.name}" was loaded without compiling it, because its class has its own compile(). Override ` +
          "getCompileConfig() and compileFromConfig() as well, or call compile() after loading.",
      );
      return;
    }
    this.compile(compileOptionsFrom(deserializeKerasObject(config) as Config));
    if (this.built) buildOptimizer(this);
  }

  /** Whether `compile` was called. */
  get compiled(): boolean {
    return this[TRAINER].compiled;
  }
  get optimizer(): Optimizer | null {
    return this[TRAINER].optimizer;
  }
  /** The loss as `compile` got it. */
  get loss(): CompileOptions["loss"] {
    return this[TRAINER].compileArguments?.loss ?? null;
  }
  get runEagerly(): boolean {
    return this[TRAINER].runEagerly;
  }
  set runEagerly(value: boolean) {
    if (value !== this[TRAINER].runEagerly) this.#forgetFunctions();
    this[TRAINER].runEagerly = value;
  }
  get stepsPerExecution(): number {
    return this[TRAINER].stepsPerExecution;
  }
  get jitCompile(): boolean {
    return this[TRAINER].jitCompile;
  }
  /** Ends `fit` after the current hook when set. */
  get stopTraining(): boolean {
    return this[TRAINER].stopTraining;
  }
  set stopTraining(value: boolean) {
    this[TRAINER].stopTraining = value;
  }
  /** Ends `evaluate` after the current hook when set. */
  get stopEvaluating(): boolean {
    return this[TRAINER].stopEvaluating;
  }
  set stopEvaluating(value: boolean) {
    this[TRAINER].stopEvaluating = value;
  }
  /** Ends `predict` after the current hook when set. */
  get stopPredicting(): boolean {
    return this[TRAINER].stopPredicting;
  }
  set stopPredicting(value: boolean) {
    this[TRAINER].stopPredicting = value;
  }
  /** Logs of the latest `fit`; null before it. */
  get history(): History | null {
    return this[TRAINER].history;
  }

  /** The loss, the compiled metrics, the losses of several outputs, own metrics, and those of layers inside. */
  override get metrics(): TrackedMetric[] {
    const { lossTracker, compileMetrics, compileLoss } = this[TRAINER];
    const compiled = [lossTracker, compileMetrics, ...(compileLoss?.metrics ?? [])].filter((metric) => metric !== null);
    const layers = flattenLayers(this, { includeSelf: false }).filter((layer) => !(layer instanceof Trainer));
    const tracked = [this, ...layers].flatMap((layer) => layer.tracked.metrics);
    return [...new Set([...(compiled as TrackedMetric[]), ...tracked])];
  }
  get metricsNames(): string[] {
    return this.metrics.map(({ name }) => name);
  }
  /** State of all metrics. */
  get metricsVariables(): TrackedMetric["variables"] {
    return this.metrics.flatMap(({ variables }) => variables);
  }
  /** Makes all metrics forget what they have seen. */
  resetMetrics(): void {
    using _ = new TensorScope();
    for (const metric of this.metrics) metric.resetState();
  }
  /** Results of all metrics by name. */
  getMetricsResult(): StepLogs {
    return metricsResult(this);
  }

  /** What is minimized, as a scalar. Override it for losses that need more than targets and predictions. */
  computeLoss(
    _x: TensorTree,
    y: TensorTree | null,
    yPred: TensorTree,
    sampleWeight: TensorTree | null = null,
    _options: { training?: boolean } = {},
  ): Tensor {
    return computeLoss(this, y, yPred, sampleWeight);
  }
  /** Updates the compiled metrics and returns all results by name. */
  computeMetrics(
    _x: TensorTree,
    y: TensorTree | null,
    yPred: TensorTree,
    sampleWeight: TensorTree | null = null,
  ): StepLogs {
    this[TRAINER].compileMetrics?.updateState(y, yPred, sampleWeight);
    return this.getMetricsResult();
  }
  /** One step of training on `[x, y, sampleWeight]`; returns results by name. Compiled unless the model runs eagerly. */
  trainStep(data: TensorBatch): StepLogs {
    return trainStep(this, data);
  }
  /** One step of evaluation on `[x, y, sampleWeight]`; returns results by name. */
  testStep(data: TensorBatch): StepLogs {
    return testStep(this, data);
  }
  /** Outputs for `[x, null, null]`. */
  predictStep([x]: TensorBatch): TensorTree {
    return callModel(this, x, false);
  }
  /** The function that `fit` runs on each batch, made when it is first needed. */
  makeTrainFunction({ force = false }: { force?: boolean } = {}): StepFunction<StepLogs> {
    const state = this[TRAINER];
    if (force) state.trainFunction?.dispose?.();
    if (force || !state.trainFunction) state.trainFunction = stepFunction(this, (data) => this.trainStep(data));
    return state.trainFunction;
  }
  /** The function that `evaluate` runs on each batch. */
  makeTestFunction({ force = false }: { force?: boolean } = {}): StepFunction<StepLogs> {
    const state = this[TRAINER];
    if (force) state.testFunction?.dispose?.();
    if (force || !state.testFunction) state.testFunction = stepFunction(this, (data) => this.testStep(data));
    return state.testFunction;
  }
  /** The function that `predict` runs on each batch. */
  makePredictFunction({ force = false }: { force?: boolean } = {}): StepFunction<TensorTree> {
    const state = this[TRAINER];
    if (force) state.predictFunction?.dispose?.();
    if (force || !state.predictFunction) state.predictFunction = stepFunction(this, (data) => this.predictStep(data));
    return state.predictFunction;
  }
  /** Drops compiled steps, which are made anew when needed: after layers, weights or `trainable` changed. */
  resetFunctions(): void {
    this.#forgetFunctions();
  }
  #forgetFunctions(): void {
    const state = this[TRAINER];
    state.trainFunction?.dispose?.();
    state.testFunction?.dispose?.();
    state.predictFunction?.dispose?.();
    state.trainFunction = state.testFunction = state.predictFunction = null;
  }
  /** Whether steps or their results are the class's own. @internal */
  get overridesSteps(): boolean {
    const own = Trainer.prototype;
    const names = ["trainStep", "testStep", "computeMetrics", "getMetricsResult"] as const;
    return names.some((name) => this[name] !== own[name]);
  }

  /**
   * Trains for some epochs; returns the logs of each.
   * @param x Arrays, a PyDataset, or a generator of batches `[x, y]`.
   * @param y Targets; null when `x` brings them.
   */
  fit(x: unknown, y: DataInput = null, options: FitOptions = {}): Promise<History> {
    return exclusively(this, "fit", () => fit(this, x, y, options));
  }
  /** Loss and metrics over the data, in the order of `metricsNames`; by name with `returnDict`. */
  evaluate(x: unknown, y: DataInput | undefined, options: EvaluateOptions & { returnDict: true }): Promise<Logs>;
  evaluate(x: unknown, y?: DataInput, options?: EvaluateOptions & { returnDict?: false }): Promise<Results>;
  evaluate(x: unknown, y: DataInput = null, options: EvaluateOptions = {}): Promise<Logs | Results> {
    return exclusively(this, "evaluate", () => evaluate(this, x, y, options));
  }
  /** Outputs for the data, batch by batch, as host arrays. Models with several outputs say so by a type argument. */
  predict<Outputs = NDArray>(x: unknown, options: PredictOptions = {}): Promise<Outputs> {
    return predict(this, x, options) as Promise<HostTree> as Promise<Outputs>;
  }
  /** One step of training on one batch. */
  trainOnBatch(
    x: unknown,
    y: DataInput | undefined,
    options: TrainOnBatchOptions & { returnDict: true },
  ): Promise<Logs>;
  trainOnBatch(x: unknown, y?: DataInput, options?: TrainOnBatchOptions & { returnDict?: false }): Promise<Results>;
  trainOnBatch(x: unknown, y: DataInput = null, options: TrainOnBatchOptions = {}): Promise<Logs | Results> {
    return trainOnBatch(this, x, y, options);
  }
  /** Loss and metrics of one batch. */
  testOnBatch(x: unknown, y: DataInput | undefined, options: TestOnBatchOptions & { returnDict: true }): Promise<Logs>;
  testOnBatch(x: unknown, y?: DataInput, options?: TestOnBatchOptions & { returnDict?: false }): Promise<Results>;
  testOnBatch(x: unknown, y: DataInput = null, options: TestOnBatchOptions = {}): Promise<Logs | Results> {
    return testOnBatch(this, x, y, options);
  }
  /** Outputs for one batch, as host arrays. */
  predictOnBatch<Outputs = NDArray>(x: unknown): Promise<Outputs> {
    return predictOnBatch(this, x) as Promise<HostTree> as Promise<Outputs>;
  }
}
