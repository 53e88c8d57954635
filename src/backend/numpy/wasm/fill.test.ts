import { expect, it } from "vitest";
import { testKernels } from "./testing.js";

const kernels = testKernels(false);
const { heap } = kernels;
const elements = [
  Uint8Array.of(0),
  Uint8Array.of(7),
  Uint16Array.of(0x1234),
  Float32Array.of(-1.5),
  Int32Array.of(-1),
  Float32Array.of(1, 2),
];

it.each(elements.flatMap((element) => [0, 1, 2, 3, 4, 7, 33].map((count) => ({ element, count }))))(
  "$count times $element",
  ({ element, count }) => {
    const bytes = count * element.byteLength;
    const at = heap.malloc(bytes + 8);
    const seen = heap.view(at, "uint8", bytes + 8).fill(201);
    kernels.fill(at, bytes, element);
    const one = [...new Uint8Array(element.buffer)];
    expect([...seen]).toEqual([
      ...Array.from({ length: bytes }, (_, i) => one[i % one.length]),
      ...new Array<number>(8).fill(201),
    ]);
    heap.free(at);
  },
);
