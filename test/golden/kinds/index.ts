import { replayCompileLoss, replayTrainer } from "../trainer-cases.js";
import { call, op } from "./call.js";
import { config } from "./config.js";
import { error } from "./error.js";
import { file } from "./file.js";
import { graphFunction } from "./graph-function.js";
import type { Kind } from "./kind.js";
import { layer, layerSpec } from "./layer.js";
import { metric } from "./metric.js";
import { object } from "./object.js";
import { opClass } from "./op-class.js";
import { optimizer } from "./optimizer.js";

/** How the cases of each kind are repeated. */
export const kinds: Readonly<Record<string, Kind>> = {
  activation: op,
  compile_loss: {
    replay: replayCompileLoss,
    prepare: async (golden, arrays) => () => replayCompileLoss(golden, arrays),
  },
  config,
  constraint: object,
  error,
  file,
  function: graphFunction,
  function_spec: graphFunction,
  initializer: object,
  layer,
  layer_spec: layerSpec,
  loss: object,
  loss_fn: call,
  metric,
  model: layer,
  op,
  op_class: opClass,
  op_class_spec: opClass,
  op_spec: call,
  optimizer,
  quantizer: object,
  random: call,
  regularizer: object,
  schedule: object,
  trainer: { replay: replayTrainer },
  util: call,
  util_spec: call,
};
