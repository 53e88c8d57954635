import { describe, expect, it } from "vitest";
import { NDArray } from "../../core/ndarray.js";
import { HeapArray, hostCopy, releaseArray, shareArray } from "./heap-array.js";
import { Heap } from "./wasm/index.js";

const makeHeap = (): Heap => new Heap(new WebAssembly.Memory({ initial: 4, maximum: 1024 }));

describe("HeapArray", () => {
  it("frees its memory with its last reference", () => {
    const heap = makeHeap();
    const x = HeapArray.allocate(heap, [4], "float32");
    const used = heap.bytesInUse;
    const y = x.retain([2, 2]);
    x.release();
    x.release();
    expect(heap.bytesInUse).toBe(used);
    expect(y.shape).toEqual([2, 2]);
    expect(() => x.ptr).toThrow(/released already/);
    expect(() => x.data).toThrow(/released already/);
    y.release();
    expect(heap.bytesInUse).toBe(0);
  });

  it("keeps its elements when the memory grows", () => {
    const heap = makeHeap();
    const x = HeapArray.allocate(heap, [3], "int32");
    x.view().set([1, 2, 3] as never);
    const before = x.data;
    HeapArray.allocate(heap, [1 << 20], "float32");
    expect(before.length).toBe(0);
    expect(x.toArray()).toEqual([1, 2, 3]);
    expect(x.copy().toArray()).toEqual([1, 2, 3]);
    expect(x.reshape([3, 1]).toArray()).toEqual([[1], [2], [3]]);
  });

  it("is shared by counting, and leaves the heap by copying", () => {
    const heap = makeHeap();
    const x = HeapArray.allocate(heap, [2], "float32");
    x.view().set([5, 6] as never);
    const shared = shareArray(x);
    releaseArray(x);
    const host = hostCopy(shared);
    expect(heap.bytesInUse).toBe(0);
    expect(host).not.toBeInstanceOf(HeapArray);
    expect(host.toArray()).toEqual([5, 6]);
    const plain = NDArray.from([1, 2]);
    expect(shareArray(plain)).toBe(plain);
    expect(hostCopy(plain)).toBe(plain);
  });

  it("may lie in memory of another owner, and hand its own over", () => {
    const heap = makeHeap();
    const freed: string[] = [];
    const theirs = HeapArray.over(heap, heap.malloc(16), { shape: [4], dtype: "float32" }, () => freed.push("theirs"));
    const second = theirs.retain([2, 2]);
    expect(second.memory).toBe(theirs.memory);
    theirs.release();
    expect(freed).toEqual([]);
    second.release();
    expect(freed).toEqual(["theirs"]);
    const ours = HeapArray.allocate(heap, [4], "float32");
    const used = heap.bytesInUse;
    ours.handOver(() => freed.push("ours"));
    ours.release();
    expect(freed).toEqual(["theirs", "ours"]);
    expect(heap.bytesInUse).toBe(used);
  });
});
