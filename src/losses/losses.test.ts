import "../backend/index.js";
import { expect, it } from "vitest";
import { tensor } from "../core/tensor.js";
import * as losses from "./index.js";

const f = (value: unknown): ReturnType<typeof tensor> => tensor(value as number[], "float32");

it("hinge takes targets 0 and 1 for -1 and 1", async () => {
  const p = f([[0.5, -0.5]]);
  expect(await losses.hinge(f([[1, 0]]), p).array()).toEqual(await losses.hinge(f([[1, -1]]), p).array());
  expect(await losses.hinge(f([[1, -1]]), p).array()).toEqual([0.5]);
});
it("huber is quadratic inside and linear outside", async () => {
  expect(await losses.huber(f([[0], [0]]), f([[0.5], [3]]), { delta: 1 }).array()).toEqual([0.125, 2.5]);
});
it("logCosh does not overflow", async () => {
  expect(await losses.logCosh(f([[0], [0]]), f([[1e4], [-1e4]])).array()).toEqual([
    expect.closeTo(1e4 - Math.LN2, 1),
    expect.closeTo(1e4 - Math.LN2, 1),
  ]);
});
it("focal losses are crossentropies when gamma is 0", async () => {
  const [t, p] = [f([[0, 1, 0]]), f([[0.2, 0.5, 0.3]])];
  const focal = losses.categoricalFocalCrossentropy(t, p, { gamma: 0, alpha: 1 });
  expect(await focal.array()).toEqual([expect.closeTo(Math.log(2), 6)]);
  const binary = losses.binaryFocalCrossentropy(f([[1]]), f([[0.5]]), { gamma: 2 });
  expect(await binary.array()).toEqual([expect.closeTo(Math.log(2) / 4, 6)]);
});
it("overlaps of equal regions are complete", async () => {
  const x = f([
    [[1], [0]],
    [[1], [1]],
  ]);
  expect(await losses.dice(x, x).item()).toBeCloseTo(0, 6);
  expect(await losses.tversky(x, x, { axis: [1, 2] }).array()).toEqual([expect.closeTo(0, 6), expect.closeTo(0, 6)]);
});
it("circle is small when labels are apart", async () => {
  const labels = tensor([0, 0, 1], "int32");
  const apart = f([
    [1, 0],
    [1, 0],
    [-1, 0],
  ]);
  const mixed = f([
    [1, 0],
    [-1, 0],
    [1, 0],
  ]);
  const [good, bad] = [await losses.circle(labels, apart).array(), await losses.circle(labels, mixed).array()];
  expect((good as number[])[0]!).toBeLessThan((bad as number[])[0]! / 100);
});
it("objects come from their names and give their configs back", () => {
  for (const name of losses.losses.names) {
    const loss = losses.get(name);
    if (loss instanceof losses.Loss)
      expect(losses.get(losses.serialize(loss) as never)).toBeInstanceOf(loss.constructor);
  }
  expect(() => new losses.CategoricalGeneralizedCrossEntropy({ q: 1 })).toThrow("> 0 and < 1");
});
