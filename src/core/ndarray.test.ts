import { describe, expect, it } from "vitest";
import { NDArray } from "./ndarray.js";

describe("NDArray.from", () => {
  it("reads nested arrays, and tells ints, floats and bools apart", () => {
    expect([
      NDArray.from([[1, 2, 3]]).dtype,
      NDArray.from([1, 2.5]).dtype,
      NDArray.from([true]).dtype,
      NDArray.from([]).dtype,
    ]).toEqual(["int32", "float32", "bool", "float32"]);
    expect(
      NDArray.from([
        [1, 2],
        [3, 4],
      ]).shape,
    ).toEqual([2, 2]);
    expect(NDArray.from(5).shape).toEqual([]);
  });
  it("keeps the type of typed arrays, and reads data with a shape", () => {
    expect(NDArray.from(Uint16Array.of(1, 2)).dtype).toBe("uint16");
    expect(NDArray.from({ data: Float32Array.of(1, 2, 3, 4), shape: [2, 2] }).toArray()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(NDArray.from({ data: Uint8Array.of(1, 0), shape: [2], dtype: "bool" }).toArray()).toEqual([true, false]);
  });
  it("refuses ragged arrays, strings and too little data", () => {
    expect(() => NDArray.from([[1, 2], [3]])).toThrow("ragged");
    expect(() => NDArray.from([["a"]] as never)).toThrow("Expected numbers");
    expect(() => new NDArray(new Float32Array(3), [2, 2], "float32")).toThrow("needs 4 float32 elements. Received: 3.");
  });
});

describe("views and copies", () => {
  const array = NDArray.from([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  const columns = new NDArray(array.data, [3, 2], "int32", [1, 3]);
  it("read through strides", () => {
    expect(columns.isContiguous).toBe(false);
    expect(columns.toArray()).toEqual([
      [1, 4],
      [2, 5],
      [3, 6],
    ]);
    expect([...columns.copy().data]).toEqual([1, 4, 2, 5, 3, 6]);
    expect(columns.at(2, 1)).toBe(6);
    expect(columns.at(-1, -1)).toBe(6);
    expect(columns.reshape([-1]).toArray()).toEqual([1, 4, 2, 5, 3, 6]);
  });
  it("check indices and shapes", () => {
    expect(() => array.at(2, 0)).toThrow("Index 2 is out of range for axis 0 of shape [2,3].");
    expect(() => array.at(0)).toThrow("Expected 2 indices");
    expect(() => array.reshape([4, -1])).toThrow("Cannot reshape");
  });
});

it("converts between dtypes: truncation, bool, half precision, 64-bit, complex", () => {
  expect(NDArray.from([1.9, -1.9]).astype("int32").toArray()).toEqual([1, -1]);
  expect(NDArray.from([0, 2]).astype("bool").toArray()).toEqual([false, true]);
  expect(
    NDArray.from([1 / 3])
      .astype("float16")
      .toArray(),
  ).toEqual([0.333251953125]);
  expect(
    NDArray.from([1 / 3])
      .astype("bfloat16")
      .toArray(),
  ).toEqual([0.333984375]);
  expect(NDArray.from([7]).astype("int64").toArray()).toEqual([7n]);
  expect(NDArray.from([2, 3]).astype("complex64").toArray()).toEqual([
    [2, 0],
    [3, 0],
  ]);
});

it("transposes into views of the same elements", () => {
  const x = NDArray.from(
    [
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
    "int32",
  );
  const turned = x.transpose([2, 0, 1]);
  expect([turned.shape, turned.toArray()]).toEqual([
    [3, 1, 2],
    [[[1, 4]], [[2, 5]], [[3, 6]]],
  ]);
  expect(turned.transpose([1, 2, 0]).toArray()).toEqual(x.toArray());
  x.data[1] = 9;
  expect(turned.at(1, 0, 0)).toBe(9);
});
