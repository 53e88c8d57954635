import { describe, expect, it } from "vitest";
import { RandomState } from "./random-state.js";

// What NumPy's RandomState draws, in this order.
const drawn = [
  {
    seed: 0,
    sample: [0.5488135039273248, 0.7151893663724195, 0.6027633760716439],
    permutation: [6, 5, 4, 0, 2, 7, 1, 3],
    small: [5, 9, 7, -2, 3, 4],
    normal: [2.5452007784710537, 1.0808119130554454, 0.48431215412066475],
    uniform: [0.7400242964936383, 0.957236684465528],
    large: [3432359896, 3439885489],
  },
  {
    seed: 1337,
    sample: [0.2620246750155817, 0.1586839721544656, 0.27812651949435974],
    permutation: [4, 1, 3, 0, 5, 6, 2, 7],
    small: [3, 3, 7, 4, 5, -2],
    normal: [1.3355729723338383, -0.7579600632308352, 0.110498664274258],
    uniform: [0.579790425212958, -0.9893148785641557],
    large: [1991039579, 1787152819],
  },
  {
    seed: [1, 2, 3],
    sample: [0.6098612722867289, 0.8866970434146851, 0.47633673750662764],
    permutation: [7, 6, 4, 0, 3, 1, 5, 2],
    small: [0, 2, 5, 1, 1, 8],
    normal: [0.745701182531936, 0.043397401181781134, -2.056851822265751],
    uniform: [0.4932473653609397, -0.7597831266823485],
    large: [2290791060, 1925995436],
  },
];

describe("RandomState", () => {
  it.each(drawn)(
    "draws NumPy's numbers after seed $seed",
    ({ seed, sample, permutation, small, normal, uniform, large }) => {
      const state = new RandomState(seed);
      expect([...state.randomSample(3)]).toEqual(sample);
      expect([...state.permutation(8)]).toEqual(permutation);
      expect([...state.randint(-3, 10, 6)]).toEqual(small);
      state.normal(0, 1, 3).forEach((value, i) => expect(Math.abs(value / normal[i]! - 1)).toBeLessThan(1e-15));
      expect([...state.uniform(-1, 1, 2)]).toEqual(uniform);
      expect([...state.randint(0, 2 ** 32, 2)]).toEqual(large);
    },
  );

  it("drops the spare normal when seeded again", () => {
    const state = new RandomState(3);
    const first = state.normal(0, 1, 1);
    state.seed(3);
    expect(state.normal(0, 1, 1)).toEqual(first);
  });

  it("starts differently every time without a seed", () => {
    expect(new RandomState().randomSample(1)).not.toEqual(new RandomState().randomSample(1));
  });

  it("refuses seeds and ranges that NumPy refuses", () => {
    expect(() => new RandomState(2 ** 32)).toThrow(/between 0 and 2\^32 - 1/);
    expect(() => new RandomState(-1)).toThrow(/negative/);
    expect(() => new RandomState([])).toThrow(/at least one/);
    expect(() => new RandomState(1).randint(1, 1, 1)).toThrow(/low < high/);
  });
});
