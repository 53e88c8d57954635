import { describe, expect, test } from "vitest";
import { NDArray } from "../../core/ndarray.js";
import type { DataAdapter } from "./adapter.js";
import { ArrayAdapter } from "./array-adapter.js";
import { chooseAdapter } from "./choose-adapter.js";
import { classWeightToSampleWeights } from "./class-weight.js";
import { readData } from "./host-data.js";
import { PyDataset } from "./py-dataset.js";
import { packXYSampleWeight, unpackXYSampleWeight } from "./unpack.js";
import { splitForValidation } from "./validation-split.js";

const range = (count: number): NDArray =>
  new NDArray(
    Int32Array.from({ length: count }, (_, i) => i),
    [count],
    "int32",
  );
/** All batches of one pass, as arrays of numbers of x. */
async function pass(adapter: DataAdapter): Promise<unknown[]> {
  const batches = adapter.batches();
  const seen: unknown[] = [];
  for (let batch = await batches.next(); batch; batch = await batches.next())
    seen.push((batch[0] as NDArray).copy().toArray());
  return seen;
}

describe("arrays", () => {
  test("come in batches, the last one smaller", async () => {
    const adapter = new ArrayAdapter([range(7), null, null], { batchSize: 3 });
    expect(adapter.numBatches).toBe(3);
    expect(await pass(adapter)).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
  });
  test("are shuffled as default_rng(epoch) permutes", async () => {
    const adapter = new ArrayAdapter([range(8), null, null], { batchSize: 8, shuffle: true });
    adapter.onEpochEnd();
    // numpy.random.default_rng(1).permutation(8), then default_rng(2)
    expect(await pass(adapter)).toEqual([[5, 0, 1, 4, 2, 6, 3, 7]]);
    adapter.onEpochEnd();
    expect(await pass(adapter)).toEqual([[6, 5, 7, 2, 3, 4, 0, 1]]);
  });
  test("are shuffled within batches on demand", async () => {
    const adapter = new ArrayAdapter([range(8), null, null], { batchSize: 4, shuffle: "batch" });
    const batches = (await pass(adapter)) as number[][];
    expect(batches.map((batch) => [...batch].sort((a, b) => a - b))).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ]);
  });
  test("keep rows together, and convert float64", async () => {
    const x = new NDArray(
      Float64Array.from({ length: 12 }, (_, i) => i / 2),
      [4, 3],
      "float64",
    );
    const adapter = new ArrayAdapter([{ a: x, b: [range(4)] }, range(4), null], { batchSize: 4, shuffle: true });
    const batch = adapter.batches().next() as unknown as [{ a: NDArray; b: [NDArray] }, NDArray, null];
    const order = [...batch[1].numbers()];
    expect(batch[0].a.dtype).toBe("float32");
    expect(batch[0].a.toArray()).toEqual(order.map((i) => [0, 1, 2].map((k) => (3 * i + k) / 2)));
    expect([...batch[0].b[0].numbers()]).toEqual(order);
  });
  test("are split for validation at the end", () => {
    const [train, validation] = splitForValidation([range(10), [range(10)], null], 0.25);
    expect((train[0] as NDArray).toArray()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect((validation[1] as [NDArray])[0].toArray()).toEqual([7, 8, 9]);
  });
});

describe("data of users", () => {
  test("keep whole numbers as integers and shrink 64 bits", async () => {
    const read = (await readData([[[1, 2]], Float64Array.of(0.5), new BigInt64Array([3n])], "x")) as NDArray[];
    expect(read.map(({ dtype }) => dtype)).toEqual(["int32", "float64", "int32"]);
    const two = (await readData([[[1, 2]], [[3, 4]]], "x", 2)) as NDArray[];
    expect(two.map((array) => array.toArray())).toEqual([[[1, 2]], [[3, 4]]]);
    expect(((await readData([true, false], "x")) as NDArray).dtype).toBe("bool");
  });
  test("are refused with their place when they are no arrays", () => {
    expect(() => readData({ a: [[1, 2], [3]] }, "x")).toThrow(/`x.a` cannot be read as an array. .*ragged/);
    expect(() => readData({ a: "text" }, "x")).toThrow(/`x.a` must be an array/);
    expect(() => readData(3, "x")).toThrow(/at least one axis/);
  });
});

describe("datasets", () => {
  class Numbers extends PyDataset {
    epochs = 0;
    override get length(): number {
      return 3;
    }
    override async getItem(index: number): Promise<unknown> {
      return [[[index]], [index]];
    }
    override onEpochEnd(): void {
      this.epochs++;
    }
  }
  test("give batches by number and hear about epochs", async () => {
    const dataset = new Numbers();
    const adapter = await chooseAdapter({ x: dataset });
    expect(adapter.numBatches).toBe(3);
    await adapter.onEpochEnd();
    expect(await pass(adapter)).toEqual([[[0]], [[1]], [[2]]]);
    await adapter.onEpochEnd();
    expect(dataset.epochs).toBe(1);
    await expect(async () => chooseAdapter({ x: dataset, y: [1] })).rejects.toThrow(/`y` must be left out/);
  });
  test("unpack and pack batches", () => {
    expect(unpackXYSampleWeight("x")).toEqual(["x", null, null]);
    expect(unpackXYSampleWeight(["x", "y"])).toEqual(["x", "y", null]);
    expect(() => unpackXYSampleWeight(["a", "b", "c", "d"])).toThrow(/array of 4/);
    expect(packXYSampleWeight("x")).toBe("x");
    expect(packXYSampleWeight("x", "y")).toEqual(["x", "y"]);
  });
});

test("class weights look at the class of each sample", () => {
  const oneHot = NDArray.from([
    [0, 1],
    [1, 0],
    [0, 1],
  ]);
  expect([...classWeightToSampleWeights(oneHot, { 1: 2 }).numbers()]).toEqual(
    [1, 1, 1].map((w, i) => (i === 1 ? w : 2)),
  );
  expect([...classWeightToSampleWeights(NDArray.from([[0], [2]]), new Map([[2, 0.5]])).numbers()]).toEqual([1, 0.5]);
  expect(() => classWeightToSampleWeights(range(2), { a: 1 } as never)).toThrow(/class numbers/);
});
