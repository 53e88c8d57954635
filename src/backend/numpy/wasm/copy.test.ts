import { expect, it } from "vitest";
import { planCopy } from "./copy-plan.js";
import { testKernels } from "./testing.js";

const kernels = testKernels(false);
const { heap } = kernels;

const contiguous = (shape: readonly number[]): number[] => {
  const strides = shape.map(() => 1);
  for (let i = shape.length - 2; i >= 0; i--) strides[i] = strides[i + 1]! * shape[i + 1]!;
  return strides;
};
const cases = [
  { name: "transpose", shape: [70, 45], from: [1, 70], to: [45, 1] },
  { name: "small transpose", shape: [3, 5], from: [1, 3], to: [5, 1] },
  { name: "NHWC to NCHW", shape: [2, 6, 5, 7], from: [210, 1, 42, 6], to: contiguous([2, 6, 5, 7]) },
  { name: "NCHW to NHWC", shape: [2, 5, 7, 6], from: [210, 7, 1, 35], to: contiguous([2, 5, 7, 6]) },
  { name: "heads", shape: [3, 4, 10, 8], from: [320, 8, 32, 1], to: contiguous([3, 4, 10, 8]) },
  { name: "slice with steps", shape: [5, 6], from: [40, 3], to: [6, 1] },
  { name: "broadcast", shape: [4, 9, 11], from: [0, 1, 0], to: [99, 11, 1] },
  { name: "reversed", shape: [6, 20], from: [-20, -1], to: [20, 1], offset: 119 },
  { name: "into a larger array", shape: [5, 7], from: [7, 1], to: [19, 1] },
  { name: "into every second element", shape: [5, 7], from: [7, 1], to: [30, 2] },
  { name: "six axes", shape: [2, 3, 2, 3, 2, 3], from: [1, 2, 6, 12, 36, 72], to: contiguous([2, 3, 2, 3, 2, 3]) },
  { name: "scalar", shape: [], from: [], to: [] },
  { name: "nothing", shape: [3, 0], from: [1, 1], to: [1, 1] },
];

it.each(cases.flatMap((c) => ([1, 2, 4, 8] as const).map((bytes) => ({ ...c, bytes }))))(
  "$name of $bytes-byte elements",
  (c) => {
    const total = 3200;
    const src = heap.malloc(total * c.bytes);
    const dst = heap.malloc(total * c.bytes);
    const from = heap.view(src, "uint8", total * c.bytes).map((_, i) => (i * 31 + (i >> 8)) & 255);
    heap.view(src, "uint8", total * c.bytes).set(from);
    heap.view(dst, "uint8", total * c.bytes).fill(201);
    const expected = new Uint8Array(total * c.bytes).fill(201);
    const n = c.shape.reduce((a, b) => a * b, 1);
    for (let i = 0; i < n; i++) {
      let rest = i;
      let a = c.offset ?? 0;
      let b = 0;
      for (let d = c.shape.length - 1; d >= 0; d--) {
        a += (rest % c.shape[d]!) * c.from[d]!;
        b += (rest % c.shape[d]!) * c.to[d]!;
        rest = Math.floor(rest / c.shape[d]!);
      }
      for (let byte = 0; byte < c.bytes; byte++) expected[b * c.bytes + byte] = from[a * c.bytes + byte]!;
    }
    kernels.copyStrided(c.bytes, c.shape, src + (c.offset ?? 0) * c.bytes, c.from, dst, c.to);
    expect(Buffer.compare(heap.view(dst, "uint8", total * c.bytes), expected)).toBe(0);
    heap.free(src);
    heap.free(dst);
  },
);

it("merges axes that are adjacent on both sides", () => {
  expect(planCopy([2, 3, 4], [12, 4, 1], [12, 4, 1])).toEqual({ sizes: [24], from: [1], to: [1] });
  expect(() => planCopy([2, 2, 2, 2, 2, 2, 2], [1, 3, 9, 27, 81, 243, 729], [64, 32, 16, 8, 4, 2, 1])).toThrow(
    /Received: 7/,
  );
});
