import "../../backend/index.js";
import { beforeEach, expect, it } from "vitest";
import { deserializeKerasObject } from "../../config/deserialize.js";
import { serializeKerasObject } from "../../config/serialize.js";
import { NDArray } from "../../core/ndarray.js";
import { clearSession } from "../../core/settings.js";
import { tensor, type Tensor } from "../../core/tensor.js";
import { Sequential } from "../../models/index.js";
import "../../trainers/index.js";
import { CategoryEncoding, Dense, HashedCrossing, Hashing, Input, type Layer } from "../index.js";

beforeEach(clearSession);
const array = (x: Tensor): Promise<unknown> => x.array();

it("encodes categories", async () => {
  const inputs = [
    [0, 1],
    [3, 3],
    [-1, 9],
  ];
  const encode = (outputMode: "multi_hot" | "count" | "one_hot", options = {}) =>
    array(new CategoryEncoding(4, { outputMode })(inputs, options));
  expect(await encode("multi_hot")).toEqual([
    [1, 1, 0, 0],
    [0, 0, 0, 1],
    [0, 0, 0, 0],
  ]);
  expect(await encode("count")).toEqual([
    [1, 1, 0, 0],
    [0, 0, 0, 2],
    [0, 0, 0, 0],
  ]);
  const countWeights = tensor([
    [0.5, 1],
    [2, 3],
    [1, 1],
  ]);
  expect(await encode("count", { countWeights })).toEqual([
    [0.5, 1, 0, 0],
    [0, 0, 0, 5],
    [0, 0, 0, 0],
  ]);
  expect(((await encode("one_hot")) as number[][][])[1]).toEqual([
    [0, 0, 0, 1],
    [0, 0, 0, 1],
  ]);
  expect(() => encode("one_hot", { countWeights })).toThrow("uses `countWeights` only when");
});
it("encodes single categories, scalars included", async () => {
  expect(await array(new CategoryEncoding(3, { outputMode: "one_hot" })([[2], [0]]))).toEqual([
    [0, 0, 1],
    [1, 0, 0],
  ]);
  expect(await array(new CategoryEncoding(3)(1))).toEqual([0, 1, 0]);
});
it("takes an old name of multi_hot and saves the new one", () => {
  expect(new CategoryEncoding(3, { outputMode: "binary" }).getConfig()).toMatchObject({
    num_tokens: 3,
    output_mode: "multi_hot",
    sparse: false,
  });
});

it("puts strings and integers into bins as TensorFlow does", async () => {
  // From keras.layers.Hashing.
  expect(await array(new Hashing(3)([["A"], ["B"], ["C"], ["D"], ["E"]]))).toEqual([[1], [0], [1], [1], [2]]);
  const masked = new Hashing(3, { maskValue: "" })([["A"], ["B"], [""], ["C"], ["D"]]);
  expect(await array(masked)).toEqual([[1], [1], [0], [2], [2]]);
  const salted = new Hashing(3, { salt: [133, 137] })([["A"], ["B"], ["C"], ["D"], ["E"]]);
  expect(await array(salted)).toEqual([[1], [2], [1], [0], [2]]);
  const wide = new NDArray(BigInt64Array.of(2n ** 40n, -(2n ** 62n)), [2], "int64");
  expect(await array(new Hashing(1000)(wide))).toEqual(
    await array(new Hashing(1000)(["1099511627776", "-4611686018427387904"])),
  );
  expect(await array(new Hashing(50)([1.7, -1.5]))).toEqual(await array(new Hashing(50)(["1", "-1"])));
});
it("counts hashes", async () => {
  const counts = (await array(new Hashing(4, { outputMode: "count" })([["a", "b", "a"]]))) as number[][];
  expect(counts[0]!.reduce((a, b) => a + b)).toBe(3);
});
it("crosses features as TensorFlow does", async () => {
  const features = [
    ["A", "B", "A", "B", "A"],
    [101, 101, 101, 102, 102],
  ];
  expect(await array(new HashedCrossing(5)(features))).toEqual([1, 4, 1, 1, 3]);
  const columns = features.map((feature) => feature.map((value) => [value]));
  const hot = new HashedCrossing(5, { outputMode: "one_hot" })(columns);
  expect(((await array(hot)) as number[][]).map((row) => row.indexOf(1))).toEqual([1, 4, 1, 1, 3]);
});
it.each<[string, Layer]>([
  ["Hashing", new Hashing(3, { salt: 5, maskValue: "x" })],
  ["Hashing to counts", new Hashing(3, { outputMode: "count" })],
  ["HashedCrossing", new HashedCrossing(3, { outputMode: "one_hot" })],
  ["CategoryEncoding", new CategoryEncoding(3, { outputMode: "count" })],
])("%s is saved and read", (_, layer) => {
  const saved = serializeKerasObject(layer);
  expect(serializeKerasObject(deserializeKerasObject(saved) as Layer)).toEqual(saved);
});
it("models with hashes in them predict, eagerly", async () => {
  const model = new Sequential([
    Input([1], { dtype: "int32" }),
    new Hashing(8, { outputMode: "one_hot" }),
    new Dense(2),
  ]);
  const x = NDArray.from([[3], [4]]);
  const expected = (await array(model(x) as Tensor)) as number[][];
  expect((await model.predict(x, { verbose: 0 })).toArray()).toEqual(expected);
});
it("says what it cannot do", () => {
  expect(() => new Hashing(0)).toThrow("`Hashing.numBins` must be a positive integer");
  expect(() => new Hashing(3, { dtype: "float32" })).toThrow('must be "int32" or "int64"');
  expect(() => new Hashing(3, { salt: [1, 2, 3] })).toThrow("`Hashing.salt` must be one or two integers");
  expect(() => new Hashing(3)([["a", "b"], ["c"]])).toThrow("without gaps");
  expect(() => new Hashing(3)(["a", 1])).toThrow("strings only or of integers only");
  expect(() => new HashedCrossing(3)([[1, 2]])).toThrow("at least two features");
  expect(() => new HashedCrossing(3)([[1.5], [2.5]])).toThrow("strings and integers");
  expect(() => new HashedCrossing(3)([[1], [2, 3]])).toThrow("features of one shape");
  expect(() => new HashedCrossing(3, { sparse: true })).toThrow("outputs are dense");
});
