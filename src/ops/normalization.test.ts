import "../backend/index.js";
import { describe, expect, it } from "vitest";
import { cast } from "./elementwise.js";
import { tensor } from "../core/tensor.js";
import { expectGradients, wave } from "./difference-quotient.testing.js";
import { batchNormalization, layerNormalization, moments, normalize, rmsNormalization } from "./normalization.js";

describe("gradients of normalizations", () => {
  it("moments", async () => {
    await expectGradients((x) => moments(x, [0, 2])[0], [wave([3, 4, 2])]);
    await expectGradients((x) => moments(x, [0, 2], { keepdims: true })[1], [wave([3, 4, 2])]);
  });
  it("batch normalization by the batch's own statistics", async () => {
    await expectGradients(
      (x, scale, offset) => batchNormalization(x, ...moments(x, [0, 1]), -1, { scale, offset }),
      [wave([4, 3, 2]), wave([2], 1), wave([2], 2)],
    );
  });
  it("layer and RMS normalization", async () => {
    const [x, gamma, beta] = [wave([3, 4, 5]), wave([4, 5], 1), wave([4, 5], 2)];
    await expectGradients((a, g, b) => layerNormalization(a, { gamma: g, beta: b, axis: [1, 2] }), [x, gamma, beta]);
    await expectGradients((a, g) => rmsNormalization(a, { scale: g }), [x, wave([5], 3)]);
  });
  it.each([1, 2, 3])("norm of order %i", async (order) => {
    await expectGradients((x) => normalize(x, { order, axis: 1 }), [wave([2, 5])]);
  });
});

it("half precision does not overflow in statistics", async () => {
  const x = cast(tensor([200, 300, 400]), "float16");
  const [mean, variance] = moments(x, 0);
  expect([mean.dtype, await mean.item(), Math.round((await variance.item()) / 100)]).toEqual(["float16", 300, 67]);
});
it("refuses vectors of another length", () => {
  expect(() => batchNormalization(wave([2, 3]), wave([2]), wave([3]), -1)).toThrow(
    "`mean` must be a vector of length 3",
  );
});
