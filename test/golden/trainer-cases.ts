import { deserializeKerasObject } from "../../src/config/deserialize.js";
import { TensorScope } from "../../src/core/tensor.js";
import type { Variable } from "../../src/core/variable.js";
import type { Model } from "../../src/models/index.js";
import { CompileLoss } from "../../src/trainers/compile/compile-loss.js";
import { snakeToCamel } from "../../src/utils/naming.js";
import { toDevice } from "../../src/trainers/to-device.js";
import type { HostTree } from "../../src/trainers/types.js";
import type { Arrays, GoldenCase } from "./cases.js";
import { compare, compareArrays, Mismatch } from "./compare.js";
import { decode, decodeArray, plain } from "./decode.js";

type Tagged = Record<string, unknown>;
/** Positional parameters of Python's methods. */
const parameters: Readonly<Record<string, readonly string[]>> = {
  fit: [
    "x",
    "y",
    "batch_size",
    "epochs",
    "verbose",
    "callbacks",
    "validation_split",
    "validation_data",
    "shuffle",
    "class_weight",
    "sample_weight",
    "initial_epoch",
    "steps_per_epoch",
    "validation_steps",
    "validation_batch_size",
    "validation_freq",
  ],
  evaluate: ["x", "y", "batch_size", "verbose", "sample_weight", "steps", "callbacks", "return_dict"],
  predict: ["x", "batch_size", "verbose", "steps", "callbacks"],
  train_on_batch: ["x", "y", "sample_weight", "class_weight", "return_dict"],
  test_on_batch: ["x", "y", "sample_weight", "return_dict"],
};

async function assignAll(variables: readonly Variable[], values: readonly Tagged[], arrays: Arrays): Promise<void> {
  if (variables.length !== values.length)
    throw new Mismatch(`${variables.length} variables, expected ${values.length}`);
  for (const [i, value] of values.entries()) {
    const array = await decodeArray(value, arrays);
    using _ = new TensorScope();
    variables[i]!.assign(array);
  }
}

/** Repeats a recorded run of fit, evaluate, predict or a step on one batch: its results and the state after it. */
export async function replayTrainer(golden: GoldenCase, arrays: Arrays): Promise<void> {
  const method = golden["method"] as string;
  const model = deserializeKerasObject(golden["config"]) as Model;
  const variables = [...new Set([...model.weights, ...model.variables])];
  await assignAll(variables, golden["state"] as Tagged[], arrays);
  const slots = golden["slots"] as Tagged[] | null;
  const optimizer = model.optimizer;
  if (slots && optimizer?.variables.length === slots.length) {
    const values = await Promise.all(slots.map((slot) => decodeArray(slot, arrays)));
    optimizer.loadOwnVariables(values);
  }
  const names = parameters[method]!;
  const given: Tagged = {};
  for (const [i, value] of golden.args.entries()) given[names[i]!] = await decode(value, arrays);
  for (const [name, value] of Object.entries(golden.kwargs)) given[name] = await decode(value, arrays);
  const { x, y = null, ...rest } = given;
  const options: Tagged = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [snakeToCamel(name), plainOption(value)]),
  );
  const run = (model as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[
    snakeToCamel(method)
  ]!.bind(model);
  if (["fit", "evaluate", "predict"].includes(method)) options["verbose"] = 0;
  let result = await (method === "predict" ? run(x, options) : run(x, y, options));
  if (method === "fit") {
    const { epoch, history } = result as { epoch: number[]; history: object };
    result = { epoch, history };
  }
  await compare(result, golden.out, arrays);
  const after = (golden["after"] as { state: Tagged[] }).state;
  for (const [i, value] of after.entries())
    compareArrays(await variables[i]!.numpy(), await decodeArray(value, arrays), `state ${variables[i]!.path}`);
}
const plainOption = (value: unknown): unknown =>
  typeof value === "object" && value !== null && value.constructor === Object ? value : plain(value);

/** Repeats a recorded call of a compiled model's losses. */
export async function replayCompileLoss(golden: GoldenCase, arrays: Arrays): Promise<void> {
  const spec = golden["spec"] as Tagged;
  const [loss, weights, names] = await Promise.all(
    ["loss", "loss_weights", "output_names"].map((key) => decode(spec[key], arrays)),
  );
  const compiled = new CompileLoss(plain(loss) as never, plain(weights) as never, names as string[] | null);
  const [y, p, w = null] = (await decode(golden.args, arrays)) as HostTree[];
  using _ = new TensorScope();
  const [yTrue, yPred, sampleWeight] = toDevice([y!, p!, w]);
  const value = compiled.call(yTrue, yPred!, sampleWeight);
  // Averages of the single losses are not compared: recorded ones were often built twice, under names that depend on the session.
  await compare(value, golden.out, arrays);
}
