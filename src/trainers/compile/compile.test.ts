import { beforeEach, describe, expect, test } from "vitest";
import { clearSession } from "../../core/settings.js";
import { NDArray } from "../../core/ndarray.js";
import { Dense, Input } from "../../layers/index.js";
import { meanAbsoluteError, meanSquaredError, MeanSquaredError } from "../../losses/index.js";
import { Model } from "../../models/index.js";
import { deserializeKerasObject } from "../../config/deserialize.js";
import { serializeKerasObject } from "../../config/serialize.js";
import { Adam, LossScaleOptimizer } from "../../optimizers/index.js";
import { classifier, labels, normal } from "../testing.js";
import type { CompileOptions, Logs } from "../index.js";

const x = normal([8, 3]);
const ya = normal([8, 1], 2);
const yb = labels(8, 2);
const quiet = { verbose: 0 } as const;
beforeEach(() => clearSession());

type Ends = "list" | "dict" | "single";
function twoOutputs(ends: Ends, options: CompileOptions): Model {
  const inputs = Input([3]);
  const a = new Dense(1, { name: "a" })(inputs);
  const b = new Dense(2, { activation: "softmax", name: "b" })(inputs);
  const model = new Model({ inputs, outputs: ends === "list" ? [a, b] : ends === "dict" ? { p: a, q: b } : a });
  model.compile({ optimizer: "sgd", ...options });
  return model;
}
/** The rows that half of the weights below are for. */
const lastRows = (array: NDArray): NDArray =>
  new NDArray(array.data.subarray(array.size / 2) as typeof array.data, [4, ...array.shape.slice(1)], array.dtype);
const namesOf = async (model: Model, y: unknown): Promise<string[]> =>
  Object.keys((await model.fit(x, y as never, quiet)).history);

describe("several outputs", () => {
  test("name their results by output, whatever the forms of loss, metrics and targets", async () => {
    const names = ["a_loss", "a_mean_absolute_error", "b_accuracy", "b_loss", "loss"];
    const list = twoOutputs("list", { loss: ["mse", "crossentropy"], metrics: [[meanAbsoluteError], ["accuracy"]] });
    expect(await namesOf(list, [ya, yb])).toEqual(names);
    expect(list.metricsNames).toEqual(["loss", "compile_metrics", "a_loss", "b_loss"]);
    const byName = twoOutputs("list", {
      loss: { a: "mse", b: "sparse_categorical_crossentropy" },
      metrics: { b: ["acc"] },
      weightedMetrics: { a: meanAbsoluteError },
    });
    expect(await namesOf(byName, { a: ya, b: yb })).toEqual(names.map((name) => name.replace("accuracy", "acc")));
    const dict = twoOutputs("dict", {
      loss: { p: "mse", q: "sparse_categorical_crossentropy" },
      metrics: { p: meanAbsoluteError, q: "accuracy" },
    });
    expect(await namesOf(dict, { p: ya, q: yb })).toEqual([
      "loss",
      "p_loss",
      "p_mean_absolute_error",
      "q_accuracy",
      "q_loss",
    ]);
  });
  test("add up, weighted; single losses are reported without weights", async () => {
    const model = twoOutputs("list", { loss: ["mse", "crossentropy"], lossWeights: [1, 0.5] });
    const logs = await model.evaluate(x, [ya, yb] as never, { ...quiet, returnDict: true });
    const number = (name: string): number => logs[name] as number;
    expect(number("loss")).toBeCloseTo(number("a_loss") + 0.5 * number("b_loss"), 5);
  });
  test("need no loss each", async () => {
    expect(await namesOf(twoOutputs("list", { loss: ["mse", null] }), [ya, yb])).toEqual(["loss"]);
  });
  test("take one array of sample weights for all, and one for each", async () => {
    const model = twoOutputs("list", { loss: ["mse", "crossentropy"] });
    const weights = Float32Array.from({ length: 8 }, (_, i) => (i < 4 ? 0 : 2));
    const run = (sampleWeight: unknown): Promise<Logs> =>
      model.evaluate(x, [ya, yb] as never, { ...quiet, returnDict: true, sampleWeight: sampleWeight as never });
    expect(await run(weights)).toEqual(await run([weights, weights]));
    const half = await model.evaluate(lastRows(x), [lastRows(ya), lastRows(yb)] as never, {
      ...quiet,
      returnDict: true,
    });
    expect((await run(weights))["loss"]).toBeCloseTo(half["loss"] as number, 5);
  });
  test("are told when loss, weights or metrics do not fit", async () => {
    const fit = (options: CompileOptions, y: unknown = [ya, yb]): Promise<unknown> =>
      twoOutputs("list", options).fit(x, y as never, quiet);
    await expect(fit({ loss: { a: "mse", c: "mse" } })).rejects.toThrow(/names of the outputs: a, b. Received: a, c/);
    await expect(fit({ loss: "mse", lossWeights: [1, 2] })).rejects.toThrow(/1 losses and 2 weights/);
    await expect(fit({ loss: ["mse", "mse"] }, [ya, yb, ya])).rejects.toThrow(/different structures/);
    await expect(fit({ loss: "mse", metrics: [[], [], []] })).rejects.toThrow(/one entry for each of the 2 outputs/);
    expect(() => twoOutputs("list", { metrics: "accuracy" })).toThrow(/must be an array.*Write \["accuracy"\]/);
    expect(() => twoOutputs("list", { loss: "nope" })).toThrow(/`compile.loss`: there is no loss "nope"/);
  });
});

describe("a single output", () => {
  test("numbers repeated names and marks weighted ones", async () => {
    const mae = meanAbsoluteError;
    const model = twoOutputs("single", {
      loss: "mse",
      metrics: [mae, mae],
      weightedMetrics: [mae, meanSquaredError],
    });
    const weights = new Float32Array(8).fill(1);
    const logs = await model.evaluate(x, ya, { ...quiet, sampleWeight: weights, returnDict: true });
    expect(Object.keys(logs)).toEqual([
      "loss",
      "mean_absolute_error",
      "mean_absolute_error_1",
      "mean_squared_error",
      "weighted_mean_absolute_error",
    ]);
    // Repeated names repeat their values, as in Python Keras.
    expect(await model.evaluate(x, ya, { ...quiet, sampleWeight: weights })).toHaveLength(7);
  });
  test("takes own functions and loss objects", async () => {
    const model = twoOutputs("single", {
      loss: new MeanSquaredError(),
      metrics: [(yTrue: never, yPred: never) => meanSquaredError(yTrue, yPred)],
    });
    const logs = await model.evaluate(x, ya, { ...quiet, returnDict: true });
    expect(logs["lambda"]).toBeCloseTo(logs["loss"] as number, 5);
  });
});

describe("saved configs", () => {
  test("hold what compile was given, in Python's form, and compile alike", async () => {
    const model = classifier({ optimizer: new Adam({ learningRate: 0.25 }), weightedMetrics: ["accuracy"] });
    await model.fit(normal([8, 4]), labels(8, 3), quiet);
    const saved = serializeKerasObject(model) as unknown as { compile_config: Record<string, unknown> };
    expect(saved.compile_config).toMatchObject({
      optimizer: { module: "keras.optimizers", class_name: "Adam", config: { learning_rate: 0.25 } },
      loss: "sparse_categorical_crossentropy",
      loss_weights: null,
      metrics: ["accuracy"],
      weighted_metrics: ["accuracy"],
      run_eagerly: false,
      steps_per_execution: 1,
      jit_compile: true,
    });
    const copy = deserializeKerasObject(saved) as Model;
    expect(copy.compiled).toBe(true);
    expect(copy.optimizer?.built).toBe(true);
    expect(copy.getCompileConfig()).toMatchObject({ loss: "sparse_categorical_crossentropy", metrics: ["accuracy"] });
  });
  test("are empty before compile", () => {
    expect(new Model().getCompileConfig()).toEqual({});
  });
});

test("models in float16 scale their loss unless told not to", async () => {
  const make = (options: CompileOptions): Model => {
    const inputs = Input([3]);
    const hidden = new Dense(2, { dtype: "mixed_float16" })(inputs);
    const outputs = new Dense(1, { dtype: "float32" })(hidden);
    const model = new Model({ inputs, outputs, dtype: "mixed_float16" } as never);
    model.compile({ optimizer: "sgd", loss: "mse", ...options });
    return model;
  };
  expect(make({ autoScaleLoss: false }).optimizer).not.toBeInstanceOf(LossScaleOptimizer);
  const model = make({});
  expect(model.optimizer).toBeInstanceOf(LossScaleOptimizer);
  const { history } = await model.fit(x, ya, { ...quiet, epochs: 4 });
  expect(history["loss"]!.at(-1)).toBeLessThan(history["loss"]![0] as number);
  expect(model.getCompileConfig()["optimizer"]).not.toBeInstanceOf(LossScaleOptimizer);
});
