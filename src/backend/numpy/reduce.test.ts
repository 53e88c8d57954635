import { expect, it } from "vitest";
import { NDArray } from "../../core/ndarray.js";
import backend from "./index.js";
import { anyLayout, Dice, indices } from "./testing.js";

const { kernels } = backend;

it("reduces arrays of any layout over any axes", () => {
  const dice = new Dice(21);
  for (let round = 0; round < 300; round++) {
    const x = anyLayout(dice, dice.shape(dice.below(5), round % 10 === 0 ? 11 : 4), round % 2 ? "float32" : "int32");
    const axes = x.shape.map((_, axis) => axis).filter(() => dice.below(2));
    const kept = x.shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
    const shape = kept.map((axis) => x.shape[axis]!);
    const spec = [{ shape, dtype: x.dtype }];
    const sums = kernels.sum([x], { axes, keepdims: false }, spec)[0]!;
    const largest = kernels.max([x], { axes, keepdims: false }, spec)[0]!;
    const wanted = new Map<string, { sum: number; max: number }>();
    for (const index of indices(x.shape)) {
      const key = kept.map((axis) => index[axis]).join();
      const entry = wanted.get(key) ?? { sum: 0, max: -Infinity };
      const v = Number(x.at(...index));
      wanted.set(key, { sum: entry.sum + v, max: Math.max(entry.max, v) });
    }
    for (const index of indices(shape)) {
      expect(sums.at(...index)).toBe(wanted.get(index.join())!.sum);
      expect(largest.at(...index)).toBe(wanted.get(index.join())!.max);
    }
  }
});

it("adds ten million float32 numbers without losing digits", () => {
  const x = new NDArray(new Float32Array(1e7).fill(0.1), [1e7], "float32");
  const attributes = { axes: [0], keepdims: false };
  const exact = 1e7 * Math.fround(0.1);
  const plain = kernels.sum([x], attributes, [{ shape: [], dtype: "float32" }])[0]!;
  expect(Math.abs(Number(plain.at()) / exact - 1)).toBeLessThan(1e-7);
  const [handle] = backend.execute("sum", [x], attributes, [{ shape: [], dtype: "float32" }]) as [NDArray];
  expect(Math.abs(Number(handle.at()) / exact - 1)).toBeLessThan(1e-6);
  const columns = new NDArray(x.data, [5_000_000, 2], "float32");
  const pair = kernels.sum([columns], attributes, [{ shape: [2], dtype: "float32" }])[0]!;
  expect(Math.abs(Number(pair.at(1)) / (exact / 2) - 1)).toBeLessThan(1e-7);
});

it("rounds sums of float16 once, at the end", () => {
  const x = NDArray.from(new Array<number>(4000).fill(1), "float16");
  const y = kernels.sum([x], { axes: [0], keepdims: false }, [{ shape: [], dtype: "float16" }])[0]!;
  expect(y.at()).toBe(4000);
});

it("refuses to find the extreme of nothing", () => {
  expect(() => kernels.argMax([NDArray.zeros([0])], { axis: 0 }, [{ shape: [], dtype: "int32" }])).toThrow(
    /at least one/,
  );
});
