import "../../backend/index.js";
import { beforeEach, describe, expect, it } from "vitest";
import { deserializeKerasObject } from "../../config/deserialize.js";
import { serializeKerasObject } from "../../config/serialize.js";
import type { KerasTensor } from "../../core/keras-tensor.js";
import { clearSession } from "../../core/settings.js";
import { tensor, type Tensor } from "../../core/tensor.js";
import { jit } from "../../core/jit.js";
import { Model } from "../../models/index.js";
import { Input } from "../index.js";
import { elements, values } from "../testing.js";
import { AdditiveAttention, Attention, GroupQueryAttention, MultiHeadAttention } from "../index.js";

beforeEach(clearSession);

const close = (a: readonly number[], b: readonly number[]): void =>
  a.forEach((value, i) => expect(value).toBeCloseTo(b[i]!, 5));
type Pair = [outputs: Tensor, scores: Tensor];

describe.each([
  ["MultiHeadAttention", () => new MultiHeadAttention(4, 3, { valueDim: 2, useGate: true, seed: 1 })],
  ["GroupQueryAttention", () => new GroupQueryAttention(3, 4, 2, { seed: 1 })],
] as const)("%s", (_, make) => {
  it("gives the same with and without its scores, which sum to 1", async () => {
    const [layer, query, value] = [make(), values([2, 3, 8]), values([2, 5, 8], 2)];
    const fused = await elements(layer(query, value, { useCausalMask: true }));
    const [outputs, scores] = layer<Pair>(query, value, { useCausalMask: true, returnAttentionScores: true });
    expect(outputs.shape).toEqual([2, 3, 8]);
    expect(scores.shape).toEqual([2, 4, 3, 5]);
    close(await elements(outputs), fused);
    const rows = (await scores.array()) as number[][][][];
    for (const row of rows.flat(2)) expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 5);
    for (const head of rows.flat()) expect(head[0]!.slice(1)).toEqual([0, 0, 0, 0]);
  });
  it("joins the masks of its inputs and the one it is given, and hands on that of the query", async () => {
    const layer = make();
    const [query, value] = [values([1, 3, 8]), values([1, 4, 8], 2)];
    query.kerasMask = tensor([[true, true, false]]);
    value.kerasMask = tensor([[true, true, true, false]]);
    const attentionMask = [[[true, false, true, true]]];
    const [outputs, scores] = layer<Pair>(query, value, { attentionMask, returnAttentionScores: true });
    const [first] = ((await scores.array()) as number[][][][])[0]!;
    for (const row of first!.slice(0, 2)) {
      expect(row[1]).toBe(0);
      expect(row[3]).toBe(0);
      expect(row[0]! + row[2]!).toBeCloseTo(1, 5);
    }
    expect(await outputs.kerasMask!.array()).toEqual([[true, true, false]]);
  });
  it("sees keys in a window only", async () => {
    const config = { ...make().getConfig(), sliding_window: 2 };
    const Class = make().constructor as unknown as { fromConfig(config: object): MultiHeadAttention };
    const x = values([1, 4, 8]);
    const [, scores] = Class.fromConfig(config)<Pair>(x, x, { returnAttentionScores: true });
    const [head] = ((await scores.array()) as number[][][][])[0]!;
    expect(head!.map((row) => row.map((p) => p > 0))).toEqual([
      [true, true, false, false],
      [true, true, true, false],
      [false, true, true, true],
      [false, false, true, true],
    ]);
  });
  it("compiles, and takes part in graphs of unknown length", async () => {
    const layer = make();
    const [query, value] = [values([2, 3, 8]), values([2, 5, 8], 2)];
    const eager = await elements(layer(query, value, { useCausalMask: true }));
    const compiled = jit((q: Tensor, v: Tensor) => layer(q, v, { useCausalMask: true }));
    close(await elements(compiled(query, value)), eager);
    const inputs = [Input([null, 8]), Input([null, 8])] as const;
    const model = new Model({ inputs: [...inputs], outputs: layer(...inputs, { useCausalMask: true }) });
    expect((model.output as KerasTensor).shape).toEqual([null, null, 8]);
    close(await elements(model([query, value])), eager);
  });
  it("drops scores in training only, by its seed", async () => {
    const build = (): MultiHeadAttention =>
      deserializeKerasObject({
        ...(serializeKerasObject(make()) as object),
        config: { ...make().getConfig(), dropout: 0.5 },
      }) as MultiHeadAttention;
    const [a, b, x] = [build(), build(), values([2, 3, 8])];
    const quiet = await elements(a(x, x));
    await elements(b(x, x));
    b.setWeights(await a.getWeights());
    close(await elements(b(x, x)), quiet);
    const drawn = await elements(a(x, x, { training: true }));
    expect(drawn).not.toEqual(quiet);
    close(await elements(b(x, x, { training: true })), drawn);
  });
  it("computes in half precision under a mixed policy", () => {
    const Class = make().constructor as unknown as { fromConfig(config: object): MultiHeadAttention };
    const layer = Class.fromConfig({ ...make().getConfig(), dtype: "mixed_bfloat16" });
    const x = values([1, 3, 8]);
    expect(layer(x, x).dtype).toBe("bfloat16");
    expect(layer.queryDense!.kernel!.dtype).toBe("float32");
    const [outputs, scores] = layer<[KerasTensor, KerasTensor]>(Input([3, 8]), Input([5, 8]), {
      returnAttentionScores: true,
    });
    expect([outputs.dtype, scores.dtype]).toEqual(["bfloat16", "bfloat16"]);
    expect([outputs.shape, scores.shape]).toEqual([
      [null, 3, 8],
      [null, 4, 3, 5],
    ]);
  });
  it("says what it cannot do", () => {
    const Class = make().constructor as unknown as { fromConfig(config: object): MultiHeadAttention };
    const x = values([1, 3, 8]);
    expect(() => make()(x)).toThrow("must be called on a query and a value");
    expect(() => make()(x, x, values([1, 2, 8]))).toThrow("value and key must have the same axes");
    expect(() => Class.fromConfig({ ...make().getConfig(), dropout: 0.1, flash_attention: true })).toThrow(
      "no dropout",
    );
    const flash = Class.fromConfig({ ...make().getConfig(), flash_attention: true });
    expect(() => flash(x, x, { returnAttentionScores: true })).toThrow("gives no scores");
    expect(() => make()(x, x, { causal: true })).toThrow("takes no option `causal`");
  });
});

describe("MultiHeadAttention", () => {
  it("attends along several axes", async () => {
    const layer = new MultiHeadAttention(2, 3, { attentionAxes: [-3, 2], outputShape: [2, 5] });
    const [query, value] = [values([2, 3, 4, 8]), values([2, 3, 2, 8], 2)];
    const [outputs, scores] = layer<Pair>(query, value, { returnAttentionScores: true });
    expect(layer.attentionAxes).toEqual([1, 2]);
    expect(outputs.shape).toEqual([2, 3, 4, 2, 5]);
    expect(scores.shape).toEqual([2, 2, 3, 4, 3, 2]);
    const sums = ((await scores.array()) as number[][][][][][])
      .flat(3)
      .map((keys) => keys.flat().reduce((a, b) => a + b));
    for (const sum of sums) expect(sum).toBeCloseTo(1, 5);
    const symbolic = layer<KerasTensor[]>(Input([3, 4, 8]), Input([3, 2, 8]), { returnAttentionScores: true });
    expect(symbolic.map(({ shape }) => shape)).toEqual([
      [null, 3, 4, 2, 5],
      [null, 2, 3, 4, 3, 2],
    ]);
  });
  it("saves the axes it found, the size of values, and penalties of projections", () => {
    const layer = new MultiHeadAttention(2, 3, { activityRegularizer: "l2" });
    const x = values([1, 3, 8]);
    layer(x, x);
    expect(layer.getConfig()).toMatchObject({ attention_axes: [1], value_dim: 3 });
    expect(layer.getConfig()["activity_regularizer"]).toMatchObject({ class_name: "L2" });
    expect(layer.losses.length).toBe(4);
  });
  it("refuses heads of no size", () => {
    expect(() => new MultiHeadAttention(0, 2)).toThrow("`MultiHeadAttention.numHeads` must be a positive integer");
    expect(() => new MultiHeadAttention(1, 2, { slidingWindow: 0 })).toThrow("positive integer");
  });
});
it("GroupQueryAttention needs whole groups", () => {
  expect(() => new GroupQueryAttention(2, 4, 3)).toThrow("must be a multiple of `numKeyValueHeads`");
});

describe.each([
  ["Attention", () => new Attention({ useScale: true })],
  ["Attention of sums", () => new Attention({ useScale: true, scoreMode: "concat" })],
  ["AdditiveAttention", () => new AdditiveAttention()],
] as const)("%s", (_, make) => {
  it("hides masked values and later keys, and zeroes masked queries", async () => {
    const [query, value] = [values([1, 3, 4]), values([1, 3, 4], 2)];
    query.kerasMask = tensor([[true, true, false]]);
    value.kerasMask = tensor([[true, false, true]]);
    const options = { returnAttentionScores: true, useCausalMask: true };
    const [outputs, scores] = make()<Pair>([query, value], options);
    const rows = ((await scores.array()) as number[][][])[0]!;
    expect(rows.map((row) => row.map((p) => p > 0))).toEqual([
      [true, false, false],
      [true, false, false],
      [true, false, true],
    ]);
    expect(((await outputs.array()) as number[][][])[0]![2]).toEqual([0, 0, 0, 0]);
    expect(outputs.kerasMask).toBe(query.kerasMask);
    expect(scores.kerasMask).toBeNull();
  });
  it("tells shapes of graphs", () => {
    const inputs = [Input([3, 4]), Input([5, 4]), Input([5, 4])];
    const [outputs, scores] = make()<KerasTensor[]>(inputs, { returnAttentionScores: true });
    expect([outputs!.shape, scores!.shape]).toEqual([
      [null, 3, 4],
      [null, 3, 5],
    ]);
  });
  it("is saved and read", async () => {
    const inputs = [values([2, 3, 4]), values([2, 5, 4], 2)];
    const layer = make();
    const expected = await elements(layer(inputs));
    const again = deserializeKerasObject(serializeKerasObject(layer)) as Attention;
    again.setWeights(await layer.getWeights());
    expect(await elements(again(inputs))).toEqual(expected);
  });
  it("asks for arrays of two or three", () => {
    const x = values([1, 2, 4]);
    expect(() => make()(x)).toThrow("must be called on an array of tensors");
    expect(() => make()([x])).toThrow("must be called on an array of tensors");
    expect(() => make()([x, x], { mask: tensor([[true, true]]) })).toThrow("as an array, [query mask, value mask]");
  });
});
