import "../backend/index.js";
import { describe, expect, it } from "vitest";
import { type Tensor, tensor } from "../core/tensor.js";
import * as metrics from "./index.js";

const f = (value: unknown): Tensor => tensor(value as number[], "float32");
const result = async (metric: metrics.Metric): Promise<unknown> => (metric.result() as Tensor).array();

describe("AUC", () => {
  const [t, p] = [f([0, 0, 1, 1]), f([0, 0.5, 0.3, 0.9])];
  it.each(["ROC", "PR", "PRGAIN"])("of the %s curve does not depend on batches", async (curve) => {
    const [whole, parts] = [new metrics.AUC({ curve }), new metrics.AUC({ curve })];
    whole.updateState(t, p);
    for (let i = 0; i < 4; i++) parts.updateState(f([[0, 0, 1, 1][i]]), f([[0, 0.5, 0.3, 0.9][i]]));
    expect(await result(parts)).toBeCloseTo((await result(whole)) as number, 6);
  });
  it("is the share of pairs in the right order", async () => {
    const auc = new metrics.AUC();
    auc.updateState(t, p);
    expect(await result(auc)).toBeCloseTo(0.75, 2);
  });
  it("counts the same in bins and by comparing", async () => {
    const even = new metrics.AUC({ numThresholds: 5 });
    const given = new metrics.AUC({ thresholds: [0.25, 0.5, 0.7501] });
    for (const auc of [even, given]) auc.updateState(t, p, f([1, 2, 3, 4]));
    expect(await result(given)).toBeCloseTo((await result(even)) as number, 6);
    expect(given.getConfig()["thresholds"]).toEqual([0.25, 0.5, 0.7501]);
  });
  it("averages labels", async () => {
    const auc = new metrics.AUC({ multiLabel: true, numLabels: 2 });
    auc.updateState(
      f([
        [1, 0],
        [0, 1],
      ]),
      f([
        [0.9, 0.9],
        [0.1, 0.1],
      ]),
    );
    expect(await result(auc)).toBeCloseTo(0.5, 6);
  });
});
it.each([
  "AUC",
  "BinaryAccuracy",
  "F1Score",
  "MeanIoU",
  "Precision",
  "R2Score",
  "RootMeanSquaredError",
  "TruePositives",
])("%s says that predictions are missing", (name) => {
  const metric = metrics.get(
    name === "MeanIoU" ? new metrics.MeanIoU(2, { name: "MeanIoU" }) : { class_name: name, config: { name } },
  );
  expect(() => (metric as metrics.Metric).updateState(f([1]))).toThrow(
    `The metric "${name}" needs targets and predictions. Received only one`,
  );
});
it("precision and recall count weights, classes and the largest predictions", async () => {
  const precision = new metrics.Precision();
  precision.updateState(f([0, 1, 1, 1]), f([1, 0, 1, 1]), f([0, 0, 1, 0]));
  expect(await result(precision)).toBe(1);
  const top = new metrics.Recall({ topK: 1, classId: 2 });
  top.updateState(
    f([
      [0, 0, 1],
      [0, 0, 1],
    ]),
    f([
      [0.1, 0.2, 0.7],
      [0.6, 0.3, 0.1],
    ]),
  );
  expect(await result(top)).toBe(0.5);
  expect(() => new metrics.Precision({ thresholds: [2] })).toThrow("a number in [0, 1]");
});
it("F-scores weigh precision against recall", async () => {
  const state = [
    f([
      [1, 0],
      [1, 0],
      [0, 1],
    ]),
    f([
      [0.9, 0.1],
      [0.2, 0.8],
      [0.1, 0.9],
    ]),
  ] as const;
  const f1 = new metrics.F1Score();
  f1.updateState(...state);
  expect(await result(f1)).toEqual([expect.closeTo(2 / 3, 5), expect.closeTo(2 / 3, 5)]);
  const micro = new metrics.FBetaScore({ beta: 2, average: "micro" });
  micro.updateState(...state);
  expect(await result(micro)).toBeCloseTo(2 / 3, 5);
});
it("IoU ignores classes that are absent or told to be", async () => {
  const iou = new metrics.MeanIoU(4, { ignoreClass: 3 });
  iou.updateState(tensor([0, 0, 1, 3], "int32"), tensor([0, 1, 1, 1], "int32"));
  expect(await result(iou)).toBeCloseTo(0.5, 5);
  expect(() => new metrics.IoU(2, [2])).toThrow("has 2 classes");
});
it("R2 is 1 for perfect predictions and 0 for the mean", async () => {
  const r2 = new metrics.R2Score();
  r2.updateState(f([[1], [2], [3]]), f([[2], [2], [2]]));
  expect(await result(r2)).toBeCloseTo(0, 6);
  r2.resetState();
  r2.updateState(f([[1], [2], [3]]), f([[1], [2], [3]]));
  expect(await result(r2)).toBeCloseTo(1, 6);
});
it("state can be carried outside", async () => {
  const recall = new metrics.Recall();
  const state = recall.statelessUpdateState(recall.statelessResetState(), f([1, 1]), f([1, 0]));
  expect(await (recall.statelessResult(state) as Tensor).item()).toBe(0.5);
  expect(await result(recall)).toBe(0);
});
it("short names mean classes", () => {
  expect(metrics.get("mse")).toBeInstanceOf(metrics.MeanSquaredError);
  expect(metrics.get("f1_score")).toBeInstanceOf(metrics.F1Score);
});

describe("counts", () => {
  it("are kept and compared in floatx, whatever the metric's dtype", async () => {
    // In float16 the prediction would be the threshold itself.
    const [targets, predictions] = [f([1, 1]), f([0.50001, 0.2])];
    for (const Kind of [metrics.TruePositives, metrics.Recall, metrics.AUC, metrics.PrecisionAtRecall]) {
      const metric =
        Kind === metrics.PrecisionAtRecall
          ? new Kind(0.5, { dtype: "float16" })
          : new (Kind as typeof metrics.Recall)({ dtype: "float16" });
      metric.updateState(targets, predictions);
      expect(new Set(metric.variables.map(({ dtype }) => dtype))).toEqual(new Set(["float32"]));
      if (metric instanceof metrics.TruePositives) expect(await result(metric)).toBe(1);
    }
  });
  it("of means are kept in the metric's dtype", () => {
    const mean = new metrics.Mean({ dtype: "float16" });
    expect(mean.variables.map(({ dtype }) => dtype)).toEqual(["float16", "float16"]);
  });
});
