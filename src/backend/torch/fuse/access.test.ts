import { describe, expect, it } from "vitest";
import { accessOf, broadcastStrides, commonShape, contiguousStrides, isWhole, reshapedStrides } from "./access.js";

describe("accesses", () => {
  it("join axes that lie one after another, and leave out those of one element", () => {
    expect(contiguousStrides([2, 3, 4])).toEqual([12, 4, 1]);
    expect(accessOf([2, 3, 4], [12, 4, 1])).toEqual([{ size: 24, stride: 1 }]);
    expect(accessOf([2, 1, 4], [4, 9, 1])).toEqual([{ size: 8, stride: 1 }]);
    expect(accessOf([3, 4], [0, 1])).toEqual([
      { size: 3, stride: 0 },
      { size: 4, stride: 1 },
    ]);
    expect(accessOf([3, 4], [0, 0])).toEqual([{ size: 12, stride: 0 }]);
  });

  it("are whole where elements are read as they lie", () => {
    expect(isWhole(accessOf([2, 3], [3, 1]))).toBe(true);
    expect(isWhole(accessOf([1], [5]))).toBe(true);
    expect(isWhole(accessOf([2, 3], [0, 1]))).toBe(false);
    expect(isWhole(accessOf([3], [2]))).toBe(false);
  });
});

it("broadcasting repeats axes of one element and those in front", () => {
  expect(broadcastStrides([4], [1], [3, 4])).toEqual([0, 1]);
  expect(broadcastStrides([3, 1], [1, 1], [2, 3, 4])).toEqual([0, 1, 0]);
  expect(broadcastStrides([1, 4], [4, 1], [1, 4])).toEqual([4, 1]);
});

describe("strides at another shape", () => {
  it("read the same elements in the same order", () => {
    expect(reshapedStrides([6, 4], [4, 1], [2, 3, 4])).toEqual([12, 4, 1]);
    expect(reshapedStrides([2, 3, 4], [12, 4, 1], [24])).toEqual([1]);
    expect(reshapedStrides([3, 4], [0, 1], [3, 2, 2])).toEqual([0, 2, 1]);
    expect(reshapedStrides([4], [1], [1, 4, 1])).toEqual([0, 1, 0]);
  });
  it("do not exist where an axis would lie on several", () => {
    expect(reshapedStrides([3, 4], [0, 1], [12])).toBeNull();
    expect(reshapedStrides([3, 4], [0, 1], [4, 3])).toBeNull();
  });
});

describe("a common shape", () => {
  const rows = accessOf([3, 4], [0, 1]);
  const columns = accessOf([3, 4], [1, 0]);

  it("has the borders of all axes", () => {
    expect(commonShape(12, [rows, columns])).toEqual({
      shape: [3, 4],
      strides: [
        [0, 1],
        [1, 0],
      ],
    });
    expect(commonShape(12, [accessOf([12], [1])])).toEqual({ shape: [12], strides: [[1]] });
    expect(commonShape(12, [accessOf([12], [1])], [4])).toEqual({ shape: [3, 4], strides: [[4, 1]] });
  });
  it("reads a single element everywhere", () => {
    expect(commonShape(12, [[], rows])!.strides).toEqual([
      [0, 0],
      [0, 1],
    ]);
    expect(commonShape(1, [[]])).toEqual({ shape: [], strides: [[]] });
  });
  it("does not exist where borders do not divide each other", () => {
    expect(commonShape(12, [rows, accessOf([4, 3], [0, 1])])).toBeNull();
  });
});
