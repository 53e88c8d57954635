import "../../backend/index.js";
import { beforeEach, expect, it } from "vitest";
import { deserializeKerasObject } from "../../config/deserialize.js";
import { serializeKerasObject } from "../../config/serialize.js";
import { clearSession } from "../../core/settings.js";
import { tensor } from "../../core/tensor.js";
import { Embedding, ReversibleEmbedding } from "../index.js";

beforeEach(clearSession);
const table = [
  [1, 0],
  [0, 2],
  [3, 4],
];

it("looks vectors up and scores vectors by the same table", async () => {
  const layer = new ReversibleEmbedding(3, 2, { weights: [table] as never, maskZero: true });
  const vectors = layer([2, 0]);
  expect(await vectors.array()).toEqual([table[2], table[0]]);
  expect(await vectors.kerasMask!.array()).toEqual([true, false]);
  expect(await layer(tensor([[1, 1]], "float32"), { reverse: true }).array()).toEqual([[1, 2, 7]]);
});
it("has a table for the way back unless weights are tied, and caps logits", async () => {
  const layer = new ReversibleEmbedding(3, 2, { tieWeights: false, logitSoftCap: 5 });
  layer([0]);
  expect(layer.weights.map(({ name, shape }) => [name, shape])).toEqual([
    ["embeddings", [3, 2]],
    ["reverse_embeddings", [2, 3]],
  ]);
  layer.reverseEmbeddings!.assign([
    [100, 0, 1],
    [0, 0, 0],
  ]);
  const logits = (await layer(tensor([[1, 1]], "float32"), { reverse: true }).array()) as number[][];
  expect(logits[0]!.map((x) => Math.round(x * 1e4) / 1e4)).toEqual([5, 0, 0.9869]);
});
it("computes the way back in its own dtype and is saved", () => {
  const layer = new ReversibleEmbedding(3, 2, { reverseDtype: "bfloat16" });
  expect(layer(tensor([[1, 1]], "float32"), { reverse: true }).dtype).toBe("bfloat16");
  const saved = serializeKerasObject(layer);
  expect(serializeKerasObject(deserializeKerasObject(saved) as ReversibleEmbedding)).toEqual(saved);
});
it("Embedding takes its first values", async () => {
  expect(await new Embedding(3, 2, { weights: table as never })([1]).array()).toEqual([table[1]]);
});
