import { expect, it } from "vitest";
import { NDArray } from "../core/ndarray.js";
import { arrayOfBytes, bytesOfArray, swapByteOrder } from "./array-bytes.js";

it("views the memory of contiguous arrays", () => {
  const data = Float32Array.of(0, 1, 2, 3, 4, 5);
  const bytes = bytesOfArray(new NDArray(data, [2, 2], "float32", undefined, 1));
  expect(bytes.buffer).toBe(data.buffer);
  expect([bytes.byteOffset, bytes.length]).toEqual([4, 16]);
});

it("copies strided arrays in row-major order", () => {
  const turned = new NDArray(Int16Array.of(1, 2, 3, 4), [2, 2], "int16", [1, 2]);
  expect(bytesOfArray(turned)).toEqual(Uint8Array.of(1, 0, 3, 0, 2, 0, 4, 0));
});

it("reads bytes in place only where they are aligned", () => {
  const bytes = new Uint8Array(24);
  new DataView(bytes.buffer).setFloat64(8, 1.5, true);
  new DataView(bytes.buffer).setFloat64(16, 2.5, true);
  const inPlace = arrayOfBytes(bytes.subarray(8), [2], "float64");
  expect(inPlace.data.buffer).toBe(bytes.buffer);
  expect(inPlace.toArray()).toEqual([1.5, 2.5]);
  const shifted = new Uint8Array(25);
  shifted.set(bytes, 1);
  expect(arrayOfBytes(shifted.subarray(9), [2], "float64").toArray()).toEqual([1.5, 2.5]);
});

it("turns the order of bytes round", () => {
  expect(swapByteOrder(Uint8Array.of(1, 2, 3, 4, 5, 6), 2)).toEqual(Uint8Array.of(2, 1, 4, 3, 6, 5));
});
