import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { clearSession } from "../core/settings.js";
import "../saving/model-methods.js";
import { SGD } from "../optimizers/index.js";
import { setRandomSeed } from "../random/seed-generator.js";
import { classifier, labels, normal } from "../trainers/testing.js";
import { formatPath } from "./file-format.js";
import {
  BackupAndRestore,
  Callback,
  CSVLogger,
  EarlyStopping,
  LambdaCallback,
  LearningRateScheduler,
  type Hooks,
  ModelCheckpoint,
  ReduceLROnPlateau,
  TerminateOnNaN,
} from "./index.js";

const x = normal([32, 4]);
const y = labels(32, 3);
const quiet = { verbose: 0 } as const;
beforeEach(() => {
  clearSession();
  setRandomSeed(1);
});

/** A model trained for `epochs` with callbacks, and what it has learned about. */
async function train(callbacks: (Callback | Hooks)[], options: object = {}) {
  const model = classifier({ optimizer: new SGD({ learningRate: 0.1 }) });
  const history = await model.fit(x, y, { ...quiet, batchSize: 8, epochs: 6, ...options, callbacks });
  return { model, history };
}

describe("hooks", () => {
  test("run in order, awaited, with logs sorted by name", async () => {
    const calls: string[] = [];
    class Recorder extends Callback {
      override onTrainBegin(): void {
        calls.push("begin");
      }
      override async onEpochBegin(epoch: number): Promise<void> {
        await new Promise((resolve) => setTimeout(resolve, 5));
        calls.push(`epoch ${epoch}`);
      }
      override onBatchEnd(batch: number, logs = {}): void {
        calls.push(`batch ${batch} ${Object.keys(logs).join()}`);
      }
      override onTestBatchBegin(batch: number): void {
        calls.push(`test ${batch}`);
      }
      override onEpochEnd(_epoch: number, logs = {}): void {
        calls.push(Object.keys(logs).join());
      }
      override onTrainEnd(): void {
        calls.push("end");
      }
    }
    await train([new Recorder()], { epochs: 1, batchSize: 16, validationData: [x, y], validationBatchSize: 32 });
    expect(calls).toEqual([
      "begin",
      "epoch 0",
      "batch 0 accuracy,loss",
      "batch 1 accuracy,loss",
      "test 0",
      "accuracy,loss,val_accuracy,val_loss",
      "end",
    ]);
  });
  test("can be plain objects of functions; unknown ones are refused", async () => {
    let seen = 0;
    await train([{ onEpochEnd: () => void seen++ }, new LambdaCallback({ onTrainBatchEnd: () => void seen++ })], {
      epochs: 2,
    });
    expect(seen).toBe(2 + 8);
    await expect(train([{ on_epoch_end: () => undefined } as never])).rejects.toThrow(/Did you mean `onEpochEnd`/);
    class Python extends Callback {
      on_epoch_end(): void {}
    }
    await expect(train([new Python()])).rejects.toThrow(/Name it onEpochEnd/);
  });
  test("run once for a group of steps", async () => {
    const model = classifier({ stepsPerExecution: 3 });
    const batches: number[] = [];
    await model.fit(x, y, {
      ...quiet,
      batchSize: 8,
      callbacks: { onTrainBatchEnd: (batch) => void batches.push(batch) },
    });
    expect(batches).toEqual([2, 5]);
  });
  test("end training by model.stopTraining", async () => {
    const { history } = await train([
      new (class extends Callback {
        override onTrainBatchEnd(batch: number): void {
          if (batch === 1) this.model.stopTraining = true;
        }
      })(),
    ]);
    expect(history.epoch).toEqual([0]);
  });
});

describe("EarlyStopping", () => {
  test("stops when the value no longer improves, and puts the best weights back", async () => {
    const values = [3, 1, 2, 2.5, 2];
    const weights: unknown[] = [];
    const fake = new (class extends Callback {
      override async onEpochEnd(epoch: number, logs: Record<string, unknown> = {}): Promise<void> {
        logs["loss"] = values[epoch];
        weights.push((await this.model.getWeights())[0]!.toArray());
      }
    })();
    const stopping = new EarlyStopping({ monitor: "loss", patience: 2, restoreBestWeights: true });
    const { model, history } = await train([fake, stopping]);
    expect(history.epoch).toEqual([0, 1, 2, 3]);
    expect([stopping.stoppedEpoch, stopping.bestEpoch, stopping.best]).toEqual([3, 1, 1]);
    expect((await model.getWeights())[0]!.toArray()).toEqual(weights[1]);
  });
  test("asks metrics which way is better", async () => {
    const stopping = new EarlyStopping({ monitor: "val_accuracy" });
    await train([stopping], { validationData: [x, y], epochs: 1 });
    expect(stopping.best).toBeGreaterThan(0);
    await expect(train([new EarlyStopping({ monitor: "val_other" })], { epochs: 1 })).rejects.toThrow(/Pass mode/);
    expect(() => new EarlyStopping({ patient: 3 } as never)).toThrow(/no option `patient`/);
  });
});

describe("learning rates", () => {
  test("follow a schedule by epochs and appear in the logs", async () => {
    const { history } = await train([new LearningRateScheduler((epoch, rate) => (epoch === 0 ? rate : rate / 2))], {
      epochs: 3,
    });
    expect(history.history["learning_rate"]).toEqual([0.1, 0.05, 0.025].map(Math.fround));
  });
  test("fall on a plateau, down to a limit", async () => {
    const flat = { onEpochEnd: (_epoch: number, logs: Record<string, unknown> = {}) => void (logs["loss"] = 1) };
    const reduce = new ReduceLROnPlateau({ monitor: "loss", factor: 0.1, patience: 1, cooldown: 1, minLr: 0.005 });
    const { history } = await train([flat as Hooks, reduce]);
    expect(history.history["learning_rate"]).toEqual([0.1, 0.1, 0.01, 0.005, 0.005, 0.005].map(Math.fround));
    expect(() => new ReduceLROnPlateau({ factor: 1 })).toThrow(/below 1/);
  });
});

test("TerminateOnNaN ends training at the first bad loss", async () => {
  const bad = x.copy();
  bad.data[0] = NaN;
  const model = classifier();
  const warning = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const output = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  const { epoch } = await model.fit(bad, y, { ...quiet, epochs: 3, callbacks: new TerminateOnNaN() });
  expect(output).toHaveBeenCalledWith(expect.stringMatching(/^Batch \d: Invalid loss, terminating training\n$/));
  output.mockRestore();
  warning.mockRestore();
  expect(epoch).toEqual([0]);
  const again = model.fit(bad, y, { ...quiet, callbacks: new TerminateOnNaN({ raiseError: true }) });
  await expect(again).rejects.toThrow(/loss is nan at batch 0/);
});

describe("files", () => {
  const inFolder = async (run: (folder: string) => Promise<void>): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), "callbacks-"));
    try {
      await run(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  };
  test("CSVLogger writes one row an epoch", () =>
    inFolder(async (folder) => {
      const path = join(folder, "log.csv");
      const { history } = await train([new CSVLogger(path)], { epochs: 2 });
      const [loss] = history.history["loss"] as number[];
      const lines = (await readFile(path, "utf8")).split("\r\n");
      expect(lines[0]).toBe("epoch,accuracy,loss,val_accuracy,val_loss");
      expect(lines[1]!.split(",")).toEqual(["0", expect.any(String), String(loss), "NA", "NA"]);
      expect(lines).toHaveLength(4);
      await train([new CSVLogger(path, { append: true, separator: ";" })], { epochs: 1 });
      expect((await readFile(path, "utf8")).split("\r\n")[3]).toMatch(/^0;/);
    }));
  test("ModelCheckpoint saves when the monitored value improves", () =>
    inFolder(async (folder) => {
      const values = [2, 1, 3];
      const fake = {
        onEpochEnd: (epoch: number, logs: Record<string, unknown> = {}) => void (logs["loss"] = values[epoch]),
      };
      const path = join(folder, "deep", "{epoch:02d}-{loss:.1f}.keras");
      await train([fake as Hooks, new ModelCheckpoint(path, { monitor: "loss", saveBestOnly: true })], { epochs: 3 });
      expect(await readdir(join(folder, "deep"))).toEqual(["01-2.0.keras", "02-1.0.keras"]);
      await train([new ModelCheckpoint(join(folder, "{batch}.weights.h5"), { saveWeightsOnly: true, saveFreq: 3 })], {
        epochs: 2,
      });
      expect((await readdir(folder)).filter((name) => name.endsWith("h5"))).toEqual(["2.weights.h5", "3.weights.h5"]);
      expect(() => new ModelCheckpoint("model.bin")).toThrow(/must end in .keras/);
    }));
  test("BackupAndRestore goes on where an interrupted run ended", () =>
    inFolder(async (folder) => {
      const backup = join(folder, "backup");
      const model = classifier();
      await model.predict(x, quiet);
      const crash = { onEpochBegin: (epoch: number) => epoch === 2 && Promise.reject(new Error("interrupted")) };
      const run = (callbacks: (Callback | Hooks)[]) => model.fit(x, y, { ...quiet, epochs: 4, callbacks });
      await expect(run([new BackupAndRestore(backup), crash as unknown as Hooks])).rejects.toThrow("interrupted");
      const weights = (await model.getWeights())[0]!.toArray();
      model.setWeights((await model.getWeights()).map((array) => normal(array.shape)));
      let restored: unknown;
      const look = new (class extends Callback {
        override async onTrainBegin(): Promise<void> {
          restored = (await this.model.getWeights())[0]!.toArray();
        }
      })();
      const { epoch } = await run([new BackupAndRestore(backup), look]);
      expect(restored).toEqual(weights);
      expect(epoch).toEqual([2, 3]);
      expect(await readdir(folder)).toEqual([]);
    }));
});

test("paths take Python's format fields", () => {
  expect(formatPath("a-{epoch:03d}-{loss:.2f}-{loss:.1e}.keras", { epoch: 7, loss: 0.125 })).toBe(
    "a-007-0.12-1.2e-01.keras",
  );
  expect(formatPath("{epoch}-{loss}", { epoch: 7, loss: 1 })).toBe("7-1.0");
  expect(() => formatPath("{other}", { epoch: 1 })).toThrow(/field \{other\}/);
});
