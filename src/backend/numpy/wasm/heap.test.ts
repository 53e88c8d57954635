import { describe, expect, it } from "vitest";
import { Heap } from "./heap.js";

const memory = (maximum = 65536): WebAssembly.Memory => new WebAssembly.Memory({ initial: 64, maximum, shared: true });

describe("Heap", () => {
  it("hands out aligned, disjoint pieces and counts them", () => {
    const heap = new Heap(memory());
    const pointers = [1, 64, 65, 0, 1000].map((bytes) => heap.malloc(bytes));
    expect(pointers.every((ptr) => ptr % 64 === 0)).toBe(true);
    expect(heap.bytesInUse).toBe(64 + 64 + 128 + 64 + 1024);
    expect(heap.allocations).toBe(5);
    const ends = [...pointers].sort((a, b) => a - b).map((ptr) => ({ ptr, end: ptr + heap.sizeOf(ptr) }));
    ends.slice(1).forEach((piece, i) => expect(piece.ptr).toBeGreaterThanOrEqual(ends[i]!.end));
  });

  it("merges freed neighbours, so everything fits again", () => {
    const heap = new Heap(memory());
    const before = heap.bytesReserved;
    for (let round = 0; round < 50; round++) {
      const pieces = Array.from({ length: 30 }, (_, i) => heap.malloc(1000 * (1 + ((i * 7 + round) % 30))));
      for (const ptr of pieces.filter((_, i) => i % 2)) heap.free(ptr);
      for (const ptr of pieces.filter((_, i) => i % 2 === 0)) heap.free(ptr);
    }
    expect(heap.bytesInUse).toBe(0);
    heap.free(heap.malloc(before - 65536 - 256));
    expect(heap.bytesReserved).toBe(before);
  });

  it("keeps contents apart under random use", () => {
    const heap = new Heap(memory());
    const live = new Map<number, { mark: number; words: number }>();
    let state = 7;
    const random = (n: number): number => (state = (state * 48271) % 2147483647) % n;
    for (let step = 0; step < 4000; step++) {
      if (live.size > 0 && random(5) < 2) {
        const [ptr, { mark, words }] = [...live][random(live.size)]!;
        const view = heap.view(ptr, "int32", words);
        expect(view.every((word) => word === mark)).toBe(true);
        heap.free(ptr);
        live.delete(ptr);
      } else if (live.size < 200) {
        const words = 1 + random(random(3) ? 300 : 30000);
        const ptr = heap.malloc(words * 4);
        heap.view(ptr, "int32", words).fill(step);
        live.set(ptr, { mark: step, words });
      }
    }
    for (const ptr of live.keys()) heap.free(ptr);
    expect(heap.bytesInUse).toBe(0);
  });

  it("grows, and says what is wrong when it cannot", () => {
    const heap = new Heap(memory(1024));
    const small = heap.malloc(100);
    heap.view(small, "float32", 25).fill(2);
    const big = heap.malloc(40_000_000);
    heap.view(big, "uint8", 40_000_000)[39_999_999] = 1;
    expect(heap.view(small, "float32", 25)[24]).toBe(2);
    expect(() => heap.malloc(60_000_000)).toThrow(/Out of WebAssembly memory: 60000000 bytes/);
    expect(() => heap.malloc(5e9)).toThrow(RangeError);
    heap.free(big);
    expect(() => heap.free(big)).toThrow(/freed already/);
    expect(() => heap.malloc(-1)).toThrow(/Received: -1/);
  });

  it("views every dtype in its storage", () => {
    const heap = new Heap(memory());
    const ptr = heap.malloc(64);
    expect(heap.view(ptr, "bfloat16", 4)).toBeInstanceOf(Uint16Array);
    expect(heap.view(ptr, "complex64", 4)).toHaveLength(8);
    expect(heap.view(ptr, "int64", 2)).toBeInstanceOf(BigInt64Array);
    expect(heap.view(ptr, "float32", 4)).toBeInstanceOf(Float32Array);
  });
});
