import "../../backend/index.js";
import { beforeEach, expect, it } from "vitest";
import { clearSession } from "../../core/settings.js";
import { type Tensor } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import {
  ActivityRegularization,
  AlphaDropout,
  Dropout,
  GaussianDropout,
  GaussianNoise,
  SpatialDropout2D,
} from "../index.js";

beforeEach(clearSession);
const ones = (shape: readonly number[]): Tensor => P.full(shape, 1, "float32");
const numbers = async (x: Tensor): Promise<number[]> => [...(await x.data()).numbers()];

it("drops its share in training only, and differently each time", async () => {
  const layer = new Dropout(0.25, { seed: 3 });
  const x = ones([40, 50]);
  expect(layer(x)).toBe(x);
  const [first, second] = [await numbers(layer(x, { training: true })), await numbers(layer(x, { training: true }))];
  expect(new Set(first)).toEqual(new Set([0, Math.fround(4 / 3)]));
  expect(first.filter((v) => v === 0).length / 2000).toBeCloseTo(0.25, 1);
  expect(second).not.toEqual(first);
});
it("noise of one seed is the same everywhere", async () => {
  const draw = () => numbers(new GaussianNoise(0.5, { seed: 7 })(ones([5]), { training: true }));
  expect(await draw()).toEqual(await draw());
});
it("whole channels go together", async () => {
  const y = (await new SpatialDropout2D(0.5, { seed: 1 })(ones([2, 3, 3, 8]), {
    training: true,
  }).array()) as number[][][][];
  for (const image of y) for (let c = 0; c < 8; c++) expect(new Set(image.flat().map((p) => p[c])).size).toBe(1);
});
it.each([new AlphaDropout(0.2, { seed: 2 }), new GaussianDropout(0.2, { seed: 2 })])(
  "%s keeps the mean",
  async (layer) => {
    const x = P.add(ones([4000]), P.full([], 0.5, "float32"));
    const values = await numbers(
      layer instanceof AlphaDropout
        ? layer(P.multiply(x, P.full([], 0, "float32")), { training: true })
        : layer(x, { training: true }),
    );
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    expect(mean).toBeCloseTo(layer instanceof AlphaDropout ? 0 : 1.5, 1);
  },
);
it("shares outside [0, 1] are refused, and no draws need no seed", () => {
  expect(() => new Dropout(1.5)).toThrow("`Dropout.rate` must be a number >= 0 and <= 1. Received: 1.5.");
  expect(new Dropout(0).variables).toEqual([]);
});
it("activity penalties are per sample and not saved twice", async () => {
  const layer = new ActivityRegularization({ l2: 0.5 });
  layer(ones([4, 3]));
  expect(await layer.losses[0]!.item()).toBe(1.5);
  expect(Object.keys(layer.getConfig())).not.toContain("activity_regularizer");
});
