/** Training: `compile`, `fit`, `evaluate`, `predict`, and the data they take. */
export { type CompileOptions, type MetricsOption } from "./compile/compile-arguments.js";
export type { LossIdentifier, MetricIdentifier } from "./compile/identify.js";
export type { PerOutput } from "./compile/loss-entries.js";
export type { ClassWeight } from "./data/class-weight.js";
export { PyDataset, type PyDatasetOptions } from "./data/py-dataset.js";
export { packXYSampleWeight, unpackXYSampleWeight } from "./data/unpack.js";
export type { EvaluateOptions } from "./loops/evaluate.js";
export type { FitOptions } from "./loops/fit.js";
export type { TestOnBatchOptions, TrainOnBatchOptions } from "./loops/on-batch.js";
export type { PredictOptions } from "./loops/predict.js";
export type { Verbose } from "./loops/verbose.js";
export { type Results, Trainer } from "./trainer.js";
export type { DataInput, HostTree, Logs, StepLogs, TensorBatch, TensorTree } from "./types.js";
