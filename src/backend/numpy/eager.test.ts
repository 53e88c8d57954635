import { afterEach, expect, it } from "vitest";
import { NDArray } from "../../core/ndarray.js";
import { accelerator } from "./accelerator.js";
import { HeapArray } from "./heap-array.js";
import backend from "./index.js";

const wasm = accelerator()!;
const spec = (
  shape: readonly number[],
  dtype: "float32" | "int32" = "float32",
): { shape: readonly number[]; dtype: "float32" | "int32" }[] => [{ shape, dtype }];
const large = (): NDArray =>
  new NDArray(
    Float32Array.from({ length: 20_000 }, (_, i) => i % 97),
    [100, 200],
    "float32",
  );
const execute = (op: string, inputs: NDArray[], attributes: object, shape: readonly number[]): NDArray =>
  (backend.execute(op, inputs, attributes, spec(shape)) as NDArray[])[0]!;

const owned: NDArray[] = [];
const own = (x: NDArray): NDArray => {
  owned.push(x);
  return x;
};
afterEach(() => owned.splice(0).forEach((x) => backend.dispose(x)));

it("puts large arrays on the heap, small ones in JavaScript memory", () => {
  expect(own(backend.fromHost(large()) as NDArray)).toBeInstanceOf(HeapArray);
  expect(backend.fromHost(NDArray.from([1, 2, 3]))).not.toBeInstanceOf(HeapArray);
});

it("frees the results of large ops with their handles", () => {
  const x = own(backend.fromHost(large()) as NDArray);
  execute("exp", [x], {}, [100, 200]);
  const before = wasm.heap.allocations;
  for (let i = 0; i < 20; i++) backend.dispose(execute("exp", [x], {}, [100, 200]));
  expect(wasm.heap.allocations).toBe(before);
});

it("gives results that outlive the heap arrays they look at", () => {
  const x = backend.fromHost(large()) as NDArray;
  const first = execute("slice", [x], { start: [3, 5], limit: [4, 8], strides: [1, 1] }, [1, 3]);
  const turned = own(execute("transpose", [x], { permutation: [1, 0] }, [200, 100]));
  const flat = own(execute("reshape", [x], { shape: [20_000] }, [20_000]));
  const same = own(execute("stopGradient", [x], {}, [100, 200]));
  backend.dispose(x);
  const other = own(backend.fromHost(new NDArray(new Float32Array(20_000).fill(-1), [20_000], "float32")) as NDArray);
  expect(other.at(0)).toBe(-1);
  expect(first.toArray()).toEqual([[605 % 97, 606 % 97, 607 % 97]]);
  expect(turned.at(7, 9)).toBe((9 * 200 + 7) % 97);
  expect(flat.at(12_345)).toBe(12_345 % 97);
  expect(same.at(99, 199)).toBe(19_999 % 97);
});

it("tells attributes apart that JSON writes alike", () => {
  const x = large();
  const pad = (value: number): number => {
    const attributes = { low: [1, 0], high: [0, 0], interior: [0, 0], value };
    return own(execute("pad", [x], attributes, [101, 200])).at(0, 0) as number;
  };
  expect(pad(-Infinity)).toBe(-Infinity);
  expect(pad(NaN)).toBeNaN();
  expect(Object.is(pad(-0), -0)).toBe(true);
  expect(Object.is(pad(0), 0)).toBe(true);
});

it("goes on in JavaScript memory while much of the heap is in use", () => {
  const ptr = wasm.heap.malloc(2 ** 29);
  try {
    const x = backend.fromHost(large()) as NDArray;
    expect(x).not.toBeInstanceOf(HeapArray);
    expect(execute("negative", [x], {}, [100, 200])).not.toBeInstanceOf(HeapArray);
  } finally {
    wasm.heap.free(ptr);
  }
});

it("copies host arrays on their way in and out", () => {
  for (const host of [large(), NDArray.from([1, 2, 3], "float32")]) {
    const kept = Number(host.data[1]);
    const x = own(backend.fromHost(host) as NDArray);
    host.data[1] = 1000;
    const out = backend.toHost(x) as NDArray;
    expect(out.data[1]).toBe(kept);
    out.data[1] = 2000;
    expect((backend.toHost(x) as NDArray).data[1]).toBe(kept);
    expect(out).not.toBeInstanceOf(HeapArray);
  }
});
