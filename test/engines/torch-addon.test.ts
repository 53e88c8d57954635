import { describe, expect } from "vitest";
import { noSlot } from "../../src/backend/torch/addon.js";
import { threefry2x32 } from "../../src/backend/numpy/threefry.js";
import { itRequires } from "../support/require.js";
import { tensor, torchAddon, valuesOf } from "../support/torch-addon.js";

const it = (name: string, fn: () => void): void => itRequires("libtorch", name, fn);
const op = (name: string, overload = ""): number => torchAddon().opId(name, overload);

describe("calls", () => {
  it("runs ops by name, with arguments by their schemas", () => {
    const addon = torchAddon();
    const x = tensor([1, 2, 3, 4], [2, 2]);
    expect(valuesOf(addon.call(op("aten::add", "Tensor"), x, x, 10) as number)).toEqual([11, 22, 33, 44]);
    expect(valuesOf(addon.call(op("aten::sum", "dim_IntList"), x, [1], true) as number)).toEqual([3, 7]);
    expect(valuesOf(addon.call(op("aten::cat"), [x, x], 1) as number)).toEqual([1, 2, 1, 2, 3, 4, 3, 4]);
    expect(valuesOf(addon.call(op("aten::mul", "Scalar"), x, 0.5) as number)).toEqual([0.5, 1, 1.5, 2]);
    expect(valuesOf(addon.call(op("aten::clamp"), x, null, 3) as number)).toEqual([1, 2, 3, 3]);
    expect(
      valuesOf(
        addon.call(op("aten::upsample_nearest2d"), addon.call(op("aten::reshape"), x, [1, 1, 2, 2]), [2, 4]) as number,
      ),
    ).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
    const [values, indices] = addon.call(op("aten::topk"), x, 1) as readonly number[];
    expect(valuesOf(values!)).toEqual([2, 4]);
    expect([...new BigInt64Array(addon.toHost(indices!))]).toEqual([1n, 1n]);
    const rows = addon.call(op("aten::unbind", "int"), x) as readonly number[];
    expect(rows.map(valuesOf)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it("takes dtypes, devices, generators, memory formats and lists of optional tensors", () => {
    const addon = torchAddon();
    const x = tensor([1.5, 2.5]);
    const ints = addon.call(op("aten::_to_copy"), x, 3, undefined, "cpu") as number;
    expect(addon.scalarTypeOf(ints)).toBe(3);
    expect(addon.deviceOf(ints)).toBe("cpu");
    const randn = (seed: number) => valuesOf(addon.call(op("aten::randn", "generator"), [3], seed) as number);
    expect(randn(1)).toEqual(randn(1));
    expect(randn(1)).not.toEqual(randn(2));
    const image = tensor([1, 2, 3, 4], [1, 2, 1, 2]);
    const last = addon.call(op("aten::clone"), image, 2) as number;
    expect(valuesOf(last)).toEqual([1, 2, 3, 4]);
    const matrix = tensor([1, 2, 3, 4], [2, 2]);
    const index = addon.fromHost(BigInt64Array.from([1n, 0n]), [2], 4, "cpu");
    expect(valuesOf(addon.call(op("aten::index", "Tensor"), matrix, [null, index]) as number)).toEqual([2, 1, 4, 3]);
  });

  it("gives gradients that were not asked for as no slot", () => {
    const addon = torchAddon();
    const x = tensor([1, 2, 3, 4], [1, 1, 2, 2]);
    const kernel = tensor([1], [1, 1, 1, 1]);
    const backward = op("aten::convolution_backward");
    const list = addon.call(backward, x, x, kernel, null, [1, 1], [0, 0], [1, 1], false, [0, 0], 1, [
      true,
      false,
      false,
    ]);
    expect((list as readonly number[]).slice(1)).toEqual([noSlot, noSlot]);
    expect(valuesOf((list as readonly number[])[0]!)).toEqual([1, 2, 3, 4]);
  });

  it("knows ops and their schemas", () => {
    const addon = torchAddon();
    expect(addon.hasOp("aten::add", "Tensor")).toBe(true);
    expect(addon.hasOp("aten::no_such_op", "")).toBe(false);
    expect(addon.argumentKinds(op("aten::index", "Tensor"))).toEqual(["Tensor", "Tensor?[]"]);
    expect(addon.argumentKinds(op("aten::zeros"))).toEqual(["int[]", "ScalarType?", "Layout?", "Device?", "bool?"]);
    expect(addon.schema(op("aten::relu"))).toBe("aten::relu(Tensor self) -> Tensor");
    expect(addon.torchVersion).toMatch(/^\d+\.\d+\.\d+/);
    expect(addon.threads()).toBeGreaterThan(0);
  });

  it("says what went wrong, in which op and with which arguments", () => {
    const addon = torchAddon();
    const add = op("aten::add", "Tensor");
    const x = tensor([1, 2]);
    expect(() => addon.call(add, x, tensor([1, 2, 3]))).toThrow(
      /in aten::add\.Tensor\(self=Float\[2\], other=Float\[3\]/,
    );
    expect(() => addon.call(add, x)).toThrow('Argument "other" is missing');
    expect(() => addon.call(add, x, null)).toThrow('Argument "other" must be of kind Tensor. Received: null.');
    expect(() => addon.call(add, x, "x")).toThrow("Received: a string.");
    expect(() => addon.call(op("aten::sum", "dim_IntList"), x, [0.5])).toThrow('Argument "dim" must be an integer');
    expect(() => addon.call(op("aten::_to_copy"), x, 999)).toThrow("must be the number of a ScalarType");
    expect(() => addon.call(1e6, x)).toThrow("There is no op");
    expect(() => addon.opId("aten::no_such_op", "")).toThrow('This libtorch has no op "aten::no_such_op"');
  });
});

describe("tensors", () => {
  it("come from bytes and go back, whatever their strides", () => {
    const addon = torchAddon();
    const x = tensor([1, 2, 3, 4, 5, 6], [2, 3]);
    const turned = addon.call(op("aten::t"), x) as number;
    expect(addon.shapeOf(turned)).toEqual([3, 2]);
    expect(valuesOf(turned)).toEqual([1, 4, 2, 5, 3, 6]);
    const bytes = new Uint8Array([1, 0, 1]);
    expect([...new Uint8Array(addon.toHost(addon.fromHost(bytes, [3], 11, "cpu")))]).toEqual([1, 0, 1]);
    expect(addon.toHost(addon.fromHost(new Float32Array(0), [0, 3], 6, "cpu")).byteLength).toBe(0);
    expect(() => addon.fromHost(new Float32Array(3), [2], 6, "cpu")).toThrow("The shape needs 8 bytes. Received: 12.");
    expect(() => addon.fromHost(new Float32Array(3), [-3], 6, "cpu")).toThrow("negative");
    expect(() => addon.fromHost(new Float32Array(3), [3], 77, "cpu")).toThrow("There is no scalar type 77.");
    expect(() => addon.fromHost(new Float32Array(3), [3], 6, "moon:0")).toThrow();
  });

  it("of one element are read as numbers", () => {
    const addon = torchAddon();
    expect(addon.item(tensor([0.1], [1, 1]))).toBe(Math.fround(0.1));
    expect(addon.item(tensor([NaN], []))).toBeNaN();
    expect(addon.item(addon.fromHost(Int32Array.of(-(2 ** 31)), [], 3, "cpu"))).toBe(-(2 ** 31));
    expect(addon.item(addon.fromHost(Uint8Array.of(1), [1], 11, "cpu"))).toBe(1);
    // One element of many: it does not lie at the beginning.
    expect(addon.item(addon.call(op("aten::select", "int"), tensor([1, 2, 3]), 0, 2) as number)).toBe(3);
    expect(() => addon.item(tensor([1, 2]))).toThrow("must have one element to be read as a number. Received: 2.");
    expect(() => addon.item(tensor([]))).toThrow("Received: 0.");
    expect(() => addon.item(0)).toThrow("There is no tensor 0");
  });

  it("are freed once, and freed slots are noticed even when their place is used again", () => {
    const addon = torchAddon();
    const live = addon.liveTensors();
    const x = tensor([1]);
    const other = addon.share(x);
    expect(addon.liveTensors()).toBe(live + 2);
    addon.free(x);
    expect(valuesOf(other)).toEqual([1]);
    expect(() => addon.free(x)).toThrow(`There is no tensor ${x}`);
    const next = tensor([2]);
    expect(() => addon.toHost(x)).toThrow(`There is no tensor ${x}`);
    for (const slot of [0, -1, 1.5, NaN, Infinity, 2 ** 31, 2 ** 40]) expect(() => addon.toHost(slot)).toThrow();
    addon.free(other);
    addon.free(next);
    expect(addon.liveTensors()).toBe(live);
  });

  // That V8 is told of them shows in what it collects, which is tested where tensors are wrapped.
  it("are counted by their bytes, shared storages once", () => {
    const addon = torchAddon();
    const data = new Float32Array(1 << 20);
    const before = addon.nativeBytes();
    const x = addon.fromHost(data, [1 << 20], 6, "cpu");
    const view = addon.call(op("aten::reshape"), x, [1 << 10, 1 << 10]) as number;
    expect(addon.nativeBytes() - before).toBe(data.byteLength);
    addon.free(x);
    expect(addon.nativeBytes() - before).toBe(data.byteLength);
    addon.free(view);
    expect(addon.nativeBytes()).toBe(before);
  });
});

describe("random bits", () => {
  it("are those of the built-in engine, for one key and for several", () => {
    const addon = torchAddon();
    const count = 40_000;
    for (const [k0, k1] of [
      [0, 0],
      [0x13198a2e, 0x03707344],
      [0xffffffff, 0xdeadbeef],
    ] as const) {
      const [first, second] = [new Uint32Array(count), new Uint32Array(count)];
      threefry2x32(k0, k1, count, first, second, 0);
      const key = addon.fromHost(Uint32Array.of(k0, k1), [2], 3, "cpu");
      const words = addon.call(op("keras::threefry2x32"), key, [200, 200]) as readonly number[];
      expect(Buffer.from(addon.toHost(words[0]!)).equals(Buffer.from(first.buffer))).toBe(true);
      expect(Buffer.from(addon.toHost(words[1]!)).equals(Buffer.from(second.buffer))).toBe(true);
      const bits = addon.call(op("keras::random_bits"), key, [count]) as number;
      expect(new Uint32Array(addon.toHost(bits)).every((word, i) => word === (first[i]! ^ second[i]!) >>> 0)).toBe(
        true,
      );
    }
    const keys = addon.fromHost(Uint32Array.of(1, 2, 3, 4), [2, 2], 3, "cpu");
    const bits = addon.call(op("keras::random_bits"), keys, [5]) as number;
    expect(addon.shapeOf(bits)).toEqual([2, 5]);
    const wanted = new Uint32Array(10);
    threefry2x32(1, 2, 5, wanted, null, 0);
    threefry2x32(3, 4, 5, wanted, null, 5);
    expect([...new Uint32Array(addon.toHost(bits))]).toEqual([...wanted]);
    expect(() => addon.call(op("keras::random_bits"), tensor([1, 2]), [5])).toThrow("keys must be int32");
  });
});
