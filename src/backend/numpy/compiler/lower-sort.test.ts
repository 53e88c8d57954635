import { expect, it } from "vitest";
import * as p from "../../../primitives/index.js";
import { spec, worst } from "./testing.js";

it.each(["float32", "int32", "uint32", "float16", "bool"] as const)(
  "sorts %s along any axis of any layout",
  (dtype) => {
    for (const axis of [0, 1, 2]) {
      for (const descending of [false, true]) {
        const difference = worst(
          (x) => {
            const seen = p.transpose(x, [2, 0, 1]);
            return [p.sort(seen, axis, descending), p.argSort(seen, axis, descending), p.sort(x, axis, descending)];
          },
          spec([5, 4, 60], dtype),
        );
        expect(difference).toBe(0);
      }
    }
  },
);

it("finds the largest and their places", () => {
  for (const dtype of ["float32", "int32", "uint32"] as const)
    for (const k of [0, 1, 6]) expect(worst((x) => p.topK(p.transpose(x, [1, 0]), k), spec([40, 6], dtype))).toBe(0);
});

it("sorts nothing, and single elements", () => {
  for (const shape of [[0], [3, 0], [1], [4, 1]])
    expect(worst((x) => [p.sort(x, 0), p.argSort(x, shape.length - 1)], spec(shape))).toBe(0);
});

it("picks elements along any axis, outside included", () => {
  for (const axis of [0, 1, 2])
    for (const mode of ["fill", "clip", "zero"] as const)
      for (const dtype of ["float32", "int32", "float16"] as const) {
        const difference = worst(
          (x, i) => [p.takeAlongAxis(x, i, axis, mode), p.takeAlongAxis(p.transpose(x, [1, 0, 2]), i, axis, mode)],
          spec([3, 3, 3], dtype),
          spec(
            [3, 3, 3].map((d, j) => (j === axis ? 7 : d)),
            "int32",
          ),
        );
        expect(difference).toBe(0);
      }
});

it("says of bools whether all or any are true, over any axes of any layout", () => {
  for (const axes of [[0], [1], [2], [0, 2], [0, 1, 2]])
    expect(
      worst(
        (x) => [p.all(x, axes), p.any(x, axes), p.all(p.transpose(x, [2, 1, 0]), axes), p.any(p.less(x, x), axes)],
        spec([3, 2, 4], "bool"),
      ),
    ).toBe(0);
});
