import { beforeEach, describe, expect, test, vi } from "vitest";
import { valueAndGradients } from "../core/gradient.js";
import { clearSession } from "../core/settings.js";
import { NDArray } from "../core/ndarray.js";
import { liveTensors, type Tensor } from "../core/tensor.js";
import { Dense } from "../layers/index.js";
import { Model, Sequential } from "../models/index.js";
import { multiply } from "../ops/arithmetic.js";
import { sum } from "../ops/reductions.js";
import { Adam } from "../optimizers/index.js";
import { setRandomSeed } from "../random/seed-generator.js";
import { callModel } from "./symbolic-build.js";
import type { TrainOnBatchOptions } from "./index.js";
import { classifier, labels, normal } from "./testing.js";
import type { StepLogs, TensorBatch, TensorTree } from "./types.js";

beforeEach(() => {
  clearSession();
  setRandomSeed(1);
});
const x = normal([48, 4]);
const y = labels(48, 3);
const quiet = { verbose: 0 } as const;

describe("fit", () => {
  test("lowers the loss and returns the logs of each epoch", async () => {
    const model = classifier({ optimizer: new Adam({ learningRate: 0.05 }) });
    const { history, epoch } = await model.fit(x, y, { ...quiet, epochs: 5, validationData: [x, y] });
    expect(epoch).toEqual([0, 1, 2, 3, 4]);
    expect(Object.keys(history)).toEqual(["accuracy", "loss", "val_accuracy", "val_loss"]);
    expect(history["loss"]![4]).toBeLessThan(history["loss"]![0] as number);
    expect(model.history?.history).toBe(history);
  });

  test("gives the same numbers compiled and eagerly, with every form of data", async () => {
    const run = async (data: unknown, targets: unknown, runEagerly: boolean): Promise<unknown> => {
      clearSession();
      setRandomSeed(3);
      const model = classifier({ runEagerly });
      const { history } = await model.fit(data, targets as never, { ...quiet, batchSize: 16, epochs: 2 });
      return history["loss"]!.map((loss) => (loss as number).toFixed(5));
    };
    const expected = await run(x, y, false);
    expect(await run(x, y, true)).toEqual(expected);
    expect(await run(x.toArray(), [...(y.data as Int32Array)], false)).toEqual(expected);
    expect(
      await run(x.astype("float64"), new NDArray(BigInt64Array.from(y.numbers(), BigInt), [48], "int64"), false),
    ).toEqual(expected);
    expect(await run({ data: x.data, shape: [48, 4] }, y.data, false)).toEqual(expected);
  });

  test("validates on the last share of the samples, every validationFreq epochs", async () => {
    const model = classifier();
    const { history } = await model.fit(x, y, { ...quiet, validationSplit: 0.25, validationFreq: 2, epochs: 4 });
    expect(history["val_loss"]).toHaveLength(2);
    const last = history["val_loss"]![1] as number;
    const part = await model.evaluate(normal([48, 4]).toArray() as number[][], y, { ...quiet, returnDict: true });
    expect(Math.abs((part["loss"] as number) - last)).toBeLessThan(1);
    await expect(model.fit(x, y, { ...quiet, validationSplit: 0.999 })).rejects.toThrow(
      /leaves no samples for training/,
    );
  });

  test("goes on where the former epoch stopped when there are stepsPerEpoch", async () => {
    const seen: number[] = [];
    function* batches() {
      for (let i = 0; ; i++) {
        seen.push(i);
        yield [x, y];
      }
    }
    await classifier().fit(batches(), null, { ...quiet, stepsPerEpoch: 3, epochs: 2 });
    expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("takes async generators, functions that make generators, and warns when data runs out", async () => {
    const warning = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    async function* twice() {
      yield [x, y];
      yield [x, y];
    }
    const { epoch } = await classifier().fit(() => twice(), null, { ...quiet, epochs: 3 });
    expect(epoch).toEqual([0, 1, 2]);
    expect(warning).not.toHaveBeenCalled();
    const short = await classifier().fit(twice(), null, { ...quiet, epochs: 3 });
    expect(short.epoch).toEqual([0]);
    expect(warning).toHaveBeenCalledWith(expect.stringContaining("ran out of data"));
    warning.mockRestore();
  });

  test("weighs classes and samples", async () => {
    const weights = Float32Array.from(y.data as Int32Array, (label) => (label === 1 ? 3 : 1));
    const run = async (options: object): Promise<unknown> => {
      clearSession();
      setRandomSeed(4);
      return (await classifier().fit(x, y, { ...quiet, ...options })).history["loss"];
    };
    expect(await run({ classWeight: { 1: 3 } })).toEqual(await run({ sampleWeight: weights }));
    expect(await run({ classWeight: { 1: 3 } })).not.toEqual(await run({}));
    await expect(run({ classWeight: { 1: 3 }, sampleWeight: weights })).rejects.toThrow(/cannot be given together/);
  });

  test("keeps the number of live tensors and the memory where they were over a thousand steps", async () => {
    const model = classifier({ optimizer: "adam" });
    await model.fit(x, y, { ...quiet, batchSize: 4, epochs: 10 });
    const live = liveTensors();
    const before = process.memoryUsage().rss;
    await model.fit(x, y, { ...quiet, batchSize: 4, epochs: 84 });
    // Tensors of models of other tests may go away meanwhile.
    expect(liveTensors()).toBeLessThanOrEqual(live);
    expect(process.memoryUsage().rss - before).toBeLessThan(20e6);
  });

  test("lets timers run while it trains", async () => {
    const model = classifier();
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    await model.fit(x, y, { ...quiet, batchSize: 1, epochs: 60 });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(1);
  });

  test("refuses a second run at the same time", async () => {
    const model = classifier();
    const first = model.fit(x, y, { ...quiet, epochs: 2 });
    await expect(model.fit(x, y, quiet)).rejects.toThrow(/running fit already/);
    await first;
  });

  test("warns once when the loss becomes NaN", async () => {
    const warning = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const bad = new NDArray(new Float32Array(48 * 4).fill(NaN), [48, 4], "float32");
    await classifier().fit(bad, y, { ...quiet, epochs: 3 });
    expect(warning).toHaveBeenCalledTimes(1);
    expect(warning).toHaveBeenCalledWith(expect.stringContaining("became NaN"));
    warning.mockRestore();
  });
});

describe("errors", () => {
  test("name what is wrong with the data", async () => {
    const model = classifier();
    await expect(model.fit(x, labels(40, 3), quiet)).rejects.toThrow(/cardinality is ambiguous.*`x`: 48; `y`: 40/);
    await expect(model.fit([], [], quiet)).rejects.toThrow(/0 samples/);
    await expect(model.fit(x, labels(48, 5), quiet)).rejects.toThrow(
      /The label [34] .* has 3: labels must be from 0 to 2/,
    );
    await expect(model.fit(normal([48, 5]), y, quiet)).rejects.toThrow(
      /layer "dense".*axis -1.*value 4, found value 5/,
    );
    await expect(model.fit("data", y, quiet)).rejects.toThrow(/`x` must be an array.*Received: "data"/);
    await expect(model.fit(x, null, quiet)).rejects.toThrow(/needs targets/);
  });
  test("name unknown options and missing compile", async () => {
    expect(() => new Sequential().compile({ optimiser: "sgd" } as never)).toThrow(/no option `optimiser`/);
    expect(() => new Sequential().compile({ loss_weights: 1 } as never)).toThrow(/Did you mean `lossWeights`/);
    await expect(classifier().fit(x, y, { batch_size: 3 } as never)).rejects.toThrow(/Did you mean `batchSize`/);
    await expect(new Sequential([new Dense(1)]).fit(x, y)).rejects.toThrow(/call `compile\(\)` before `fit\(\)`/);
    await expect(classifier().fit(x, y, { ...quiet, verbose: 7 as never })).rejects.toThrow(/`verbose` must be/);
  });
});

describe("steps", () => {
  test("on one batch give the results of that batch", async () => {
    const model = classifier();
    const [before] = (await model.testOnBatch(x, y)) as number[];
    const trained = await model.trainOnBatch(x, y, { returnDict: true } satisfies TrainOnBatchOptions);
    expect(trained["loss"]).toBeCloseTo(before!, 5);
    const after = await model.testOnBatch(x, y, { returnDict: true });
    expect(after["loss"]).toBeLessThan(trained["loss"] as number);
    expect((await model.predictOnBatch(x)).shape).toEqual([48, 3]);
  });

  test("predict gives host arrays for all batches", async () => {
    const model = classifier();
    const all = await model.predict(x, { ...quiet, batchSize: 48 });
    const parts = await model.predict(x, { ...quiet, batchSize: 7 });
    expect(all.shape).toEqual([48, 3]);
    all.numbers().forEach((value, i) => expect(parts.numbers()[i]).toBeCloseTo(value, 6));
  });

  test("can be written by hand, with gradients, and are compiled all the same", async () => {
    class Plain extends Model {
      readonly inner = new Dense(1);
      traces = 0;
      override call(inputs: Tensor): Tensor {
        return this.inner(inputs);
      }
      override trainStep([data, targets]: TensorBatch): StepLogs {
        this.traces++;
        const trained = this.trainableVariables;
        const { value, gradients } = valueAndGradients(
          () => this.computeLoss(data, targets, callModel(this, data, true)),
          trained.map((variable) => variable.value),
        );
        this.optimizer!.apply(gradients, trained);
        return { loss: value };
      }
    }
    const model = new Plain();
    model.compile({ optimizer: "sgd", loss: "mse" });
    const { history } = await model.fit(x, normal([48, 1], 5), { ...quiet, batchSize: 16, epochs: 4 });
    expect(model.traces).toBe(1);
    expect(history["loss"]![3]).toBeLessThan(history["loss"]![0] as number);
  });

  test("can be replaced by those of a subclass", async () => {
    class Halving extends Model {
      readonly inner = new Dense(1);
      override call(inputs: Tensor): Tensor {
        return this.inner(inputs);
      }
      override computeLoss(
        data: TensorTree,
        targets: TensorTree | null,
        yPred: TensorTree,
        sampleWeight: TensorTree | null = null,
      ): Tensor {
        return multiply(super.computeLoss(data, targets, yPred, sampleWeight), 0.5);
      }
      override testStep([data]: TensorBatch): StepLogs {
        const yPred = callModel(this, data, false) as Tensor;
        return { mine: multiply(sum(yPred), 0) };
      }
    }
    const targets = normal([48, 1], 5);
    const model = new Halving();
    model.compile({ optimizer: "sgd", loss: "mse" });
    const { history } = await model.fit(x, targets, quiet);
    const plain = await model.predict(x, quiet);
    expect(plain.shape).toEqual([48, 1]);
    expect(history["loss"]![0]).toBeLessThan(10);
    expect(await model.evaluate(x, targets, { ...quiet, returnDict: true })).toEqual({ mine: 0 });
  });
});
