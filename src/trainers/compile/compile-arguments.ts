import type { Identifier } from "../../config/lookup.js";
import type { Config } from "../../config/field.js";
import { getRegisteredObject } from "../../config/registry.js";
import { leavesOf } from "../../core/symbolic.js";
import { losses } from "../../losses/index.js";
import { metrics } from "../../metrics/index.js";
import { type Optimizer, optimizers } from "../../optimizers/index.js";
import { checkOptions } from "../check-options.js";
import { showValue } from "../../utils/show-value.js";
import type { LossIdentifier, MetricIdentifier } from "./identify.js";
import type { PerOutput } from "./loss-entries.js";

/** Metrics of one output, or of several by position or name. */
export type MetricsOption = PerOutput<MetricIdentifier>;
/** How to train a model. */
export interface CompileOptions {
  /** A name, an optimizer, a saved config or a class; "rmsprop" by default. */
  readonly optimizer?: Identifier<Optimizer, string>;
  /** What to minimize: one loss, or one for each output by position or name. */
  readonly loss?: PerOutput<LossIdentifier>;
  /** Factors of the losses, in their structure. */
  readonly lossWeights?: PerOutput<number>;
  /** What to report. */
  readonly metrics?: MetricsOption;
  /** What to report with sample weights applied. */
  readonly weightedMetrics?: MetricsOption;
  /** Whether steps run op by op, for debugging, instead of compiled. */
  readonly runEagerly?: boolean;
  /** Steps between two rounds of callbacks. */
  readonly stepsPerExecution?: number;
  /** Kept for saved models; steps are compiled unless `runEagerly` is set. */
  readonly jitCompile?: boolean | "auto";
  /** Whether models of the policy "mixed_float16" get their loss scaled. */
  readonly autoScaleLoss?: boolean;
}
/** The options of `compile`, checked and complete. */
export interface CompileArguments extends Required<Omit<CompileOptions, "optimizer" | "jitCompile">> {
  readonly optimizer: Optimizer | null;
  readonly jitCompile: boolean;
}

const known = [
  "optimizer",
  "loss",
  "lossWeights",
  "metrics",
  "weightedMetrics",
  "runEagerly",
  "stepsPerExecution",
  "jitCompile",
  "autoScaleLoss",
] as const satisfies readonly (keyof CompileOptions)[];

/** Checks what `compile` was given; throws a TypeError on unknown names and wrong values. */
export function readCompileOptions(options: CompileOptions): CompileArguments {
  checkOptions("compile", options, known);
  const { optimizer = "rmsprop", stepsPerExecution = 1, jitCompile = "auto" } = options;
  if (!Number.isInteger(stepsPerExecution) || stepsPerExecution < 1)
    throw new TypeError(
      `\`compile.stepsPerExecution\` must be a positive integer. Received: ${showValue(stepsPerExecution)}.`,
    );
  if (jitCompile !== "auto" && typeof jitCompile !== "boolean")
    throw new TypeError(
      `\`compile.jitCompile\` must be true, false or "auto". Received: ${showValue(jitCompile as unknown)}.`,
    );
  checkNames("loss", options.loss, [...losses.names, "crossentropy", "ce"]);
  checkNames("metrics", options.metrics, [...metrics.names, "accuracy", "acc"]);
  checkNames("weightedMetrics", options.weightedMetrics, [...metrics.names, "accuracy", "acc"]);
  return {
    optimizer: optimizers.get(optimizer as Optimizer, "compile.optimizer"),
    loss: options.loss ?? null,
    lossWeights: options.lossWeights ?? null,
    metrics: options.metrics ?? null,
    weightedMetrics: options.weightedMetrics ?? null,
    runEagerly: options.runEagerly ?? false,
    stepsPerExecution,
    jitCompile: jitCompile === "auto" ? true : jitCompile,
    autoScaleLoss: options.autoScaleLoss ?? true,
  };
}

/** Losses and metrics are made once shapes are known; that their names exist is said at once. */
function checkNames(option: string, given: unknown, known: readonly string[]): void {
  for (const name of leavesOf(given, (x): x is string => typeof x === "string")) {
    if (known.includes(name) || known.includes(name.toLowerCase()) || getRegisteredObject(name)) continue;
    throw new TypeError(
      `\`compile.${option}\`: there is no ${option === "loss" ? "loss" : "metric"} ${showValue(name)}. Known: ${known.join(", ")}.`,
    );
  }
}

/** The arguments of `compile` under Python's names, as Python Keras saves them. */
export const compileConfig = (args: CompileArguments): Config => ({
  optimizer: args.optimizer,
  loss: args.loss,
  loss_weights: args.lossWeights,
  metrics: args.metrics,
  weighted_metrics: args.weightedMetrics,
  run_eagerly: args.runEagerly,
  steps_per_execution: args.stepsPerExecution,
  jit_compile: args.jitCompile,
});

/** Options of `compile` from a saved config, whose objects were read already. */
export function compileOptionsFrom(config: Config): CompileOptions {
  const options: Record<string, unknown> = {
    optimizer: config["optimizer"],
    loss: config["loss"],
    lossWeights: config["loss_weights"],
    metrics: config["metrics"],
    weightedMetrics: config["weighted_metrics"],
    runEagerly: config["run_eagerly"],
    stepsPerExecution: config["steps_per_execution"],
    jitCompile: config["jit_compile"],
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => (value ?? null) !== null)) as CompileOptions;
}
