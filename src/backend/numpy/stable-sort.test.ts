import { expect, it } from "vitest";
import { NDArray } from "../../core/ndarray.js";
import backend from "./index.js";
import { StableSorter } from "./stable-sort.js";
import { Dice } from "./testing.js";

it.each([0, 1, 2, 24, 25, 49, 500, 2047, 2048, 5000])("sorts %i keys stably", (n) => {
  const dice = new Dice(n + 1);
  for (const range of [3, 1000, 2 ** 24]) {
    const keys = Uint32Array.from({ length: n + 3 }, () => (dice.below(range) * 251) >>> 0);
    const wanted = Array.from({ length: n }, (_, i) => i).sort((i, j) => keys[3 + i]! - keys[3 + j]! || i - j);
    const sorter = new StableSorter(n);
    expect([...sorter.sort(keys, 3)]).toEqual(wanted);
    expect([...sorter.sort(keys, 3)], "a second row with the same memory").toEqual(wanted);
  }
});

it("sorts long rows of every lane, equal elements in their order when descending", () => {
  const dice = new Dice(4);
  const values = Array.from({ length: 3000 }, () => dice.below(200) - 100);
  for (const dtype of ["float32", "int32", "bfloat16", "int8"] as const) {
    const x = NDArray.from(values, dtype);
    const spec = [{ shape: [3000], dtype: "int32" as const }];
    const places = backend.kernels.argSort([x], { axis: 0, descending: true }, spec)[0]!;
    const wanted = values.map((_, i) => i).sort((i, j) => values[j]! - values[i]! || i - j);
    expect(places.toArray()).toEqual(wanted);
  }
});
