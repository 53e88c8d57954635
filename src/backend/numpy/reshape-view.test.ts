import { expect, it } from "vitest";
import { NDArray } from "../../core/ndarray.js";
import { reshapeView } from "./reshape-view.js";
import { anyLayout, Dice } from "./testing.js";

const flat = (x: NDArray): number[] => (x.toArray() as number[][]).flat(Infinity) as number[];

it("keeps row-major order for any layout and any cut into axes", () => {
  const dice = new Dice(8);
  const cuts = [[24], [2, 12], [4, 6], [2, 3, 4], [1, 24, 1], [3, 1, 2, 4], [8, 3], [2, 2, 2, 3]];
  for (let round = 0; round < 300; round++) {
    const x = anyLayout(dice, cuts[dice.below(cuts.length)]!, "int32");
    const shape = cuts[dice.below(cuts.length)]!;
    const y = reshapeView(x, shape);
    expect(y.shape).toEqual(shape);
    expect(flat(y)).toEqual(flat(x));
  }
});

it("shares memory where strides can say the shape, and copies where they cannot", () => {
  const data = Int32Array.from({ length: 24 }, (_, i) => i);
  const turned = new NDArray(data, [4, 6], "int32", [1, 4]);
  expect(reshapeView(turned, [2, 2, 3, 2]).data).toBe(data);
  expect(reshapeView(turned, [24]).data).not.toBe(data);
  expect(reshapeView(NDArray.zeros([0, 3]), [3, 0]).shape).toEqual([3, 0]);
});
