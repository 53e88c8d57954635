import "../../backend/index.js";
import { describe, expect, it } from "vitest";
import { tensor } from "../../core/tensor.js";
import {
  BatchNormalization,
  GroupNormalization,
  LayerNormalization,
  RMSNormalization,
  UnitNormalization,
} from "../index.js";

describe("BatchNormalization", () => {
  const batch = () => tensor([[1], [3]], "float32");
  it("uses the batch in training and moves its averages", async () => {
    const layer = new BatchNormalization({ momentum: 0.9, epsilon: 0 });
    expect(await layer(batch(), { training: true }).array()).toEqual([[-1], [1]]);
    expect((await layer.movingMean!.numpy()).at(0)).toBeCloseTo(0.2);
    expect((await layer.movingVariance!.numpy()).at(0)).toBeCloseTo(1);
  });
  it("uses its averages otherwise, and whenever it is not trainable", async () => {
    const layer = new BatchNormalization({ epsilon: 0 });
    expect(await layer(batch()).array()).toEqual([[1], [3]]);
    layer.trainable = false;
    expect(await layer(batch(), { training: true }).array()).toEqual([[1], [3]]);
    expect((await layer.movingMean!.numpy()).toArray()).toEqual([0]);
  });
  it("leaves masked steps out of the statistics", async () => {
    const layer = new BatchNormalization({ momentum: 0 });
    const x = tensor([[[1], [3], [100]]], "float32");
    layer(x, { training: true, mask: tensor([[true, true, false]]) });
    expect((await layer.movingMean!.numpy()).at(0)).toBeCloseTo(2, 5);
  });
  it("computes in float32 under mixed precision", async () => {
    const layer = new BatchNormalization({ dtype: "mixed_float16" });
    const y = layer(tensor([[300], [400]], "float32"), { training: true });
    expect([y.dtype, layer.gamma!.variableDType]).toEqual(["float16", "float32"]);
    expect(await y.array()).toEqual([[-1], [1]]);
  });
});
it("layers without a batch agree where they overlap", async () => {
  const x = tensor([[1, 2, 3, 6]], "float32");
  const layer = await new LayerNormalization()(x).array();
  expect(await new GroupNormalization({ groups: 1 })(x).array()).toEqual(layer);
  const unit = (await new UnitNormalization()(x).array()) as number[][];
  const rms = (await new RMSNormalization({ epsilon: 0 })(x).array()) as number[][];
  rms[0]!.forEach((value, i) => expect(value).toBeCloseTo(2 * unit[0]![i]!, 5));
});
it("saves axes and groups as they are after building", () => {
  const layer = new LayerNormalization();
  const groups = new GroupNormalization({ groups: -1 });
  layer.build([null, 4]);
  groups.build([null, 4]);
  expect([layer.getConfig()["axis"], groups.getConfig()["groups"]]).toEqual([[-1], 4]);
  expect(() => new GroupNormalization({ groups: 3 }).build([null, 4])).toThrow(
    "must divide the number of channels (4)",
  );
});
