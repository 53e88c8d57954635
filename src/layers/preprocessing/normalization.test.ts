import "../../backend/index.js";
import { expect, it } from "vitest";
import { tensor } from "../../core/tensor.js";
import { Normalization } from "../index.js";

it("adapts to data at once or in batches, and back again", async () => {
  const [whole, batches] = [new Normalization(), new Normalization()];
  whole.adapt([
    [1, 10],
    [3, 30],
    [5, 20],
  ]);
  batches.adapt([
    tensor([[1, 10]], "float32"),
    tensor(
      [
        [3, 30],
        [5, 20],
      ],
      "float32",
    ),
  ]);
  const expected = (await whole.adaptVariance!.numpy()).numbers();
  (await batches.adaptVariance!.numpy()).numbers().forEach((v, i) => expect(v).toBeCloseTo(expected[i]!, 3));
  expect((await batches.adaptMean!.numpy()).toArray()).toEqual([expect.closeTo(3, 4), expect.closeTo(20, 4)]);
  const x = tensor([[4, 25]], "float32");
  const back = new Normalization({ mean: [3, 20], variance: [...expected], invert: true });
  const y = (await back(whole(x)).array()) as number[][];
  y[0]!.forEach((v, i) => expect(v).toBeCloseTo([4, 25][i]!, 4));
});
it("needs mean and variance together", () => {
  expect(() => new Normalization({ mean: 1 })).toThrow("must be given together");
  expect(() => new Normalization({ axis: null, mean: 1, variance: 4 }).adapt([1, 2])).toThrow("nothing to adapt");
});
