import "../../backend/index.js";
import { beforeEach, describe, expect, it } from "vitest";
import { deserializeKerasObject } from "../../config/deserialize.js";
import { serializeKerasObject } from "../../config/serialize.js";
import { clearSession } from "../../core/settings.js";
import { tensor, type Tensor } from "../../core/tensor.js";
import { add } from "../../ops/arithmetic.js";
import { flip } from "../../ops/rearranging.js";
import { Bidirectional, ConvLSTM2D, Dense, GRU, Input, LSTM } from "../index.js";
import { elements, values } from "../testing.js";

beforeEach(clearSession);

describe("Bidirectional", () => {
  it("runs copies of its layer both ways, and turns the outputs of the backward one around", async () => {
    const layer = new Bidirectional(new LSTM(3, { returnSequences: true, name: "memory" }), { mergeMode: "sum" });
    const x = values([2, 4, 5]);
    const y = layer(x);
    expect(layer.weights.map(({ path }) => path.split("/")[1])).toEqual([
      ...Array<string>(3).fill("forward_memory"),
      ...Array<string>(3).fill("backward_memory"),
    ]);
    const back = flip(layer.backwardLayer(x), { axis: 1 });
    expect(await elements(y)).toEqual(await elements(add(layer.forwardLayer(x), back)));
  });
  it("gives both outputs and all states where that is asked for", () => {
    const layer = new Bidirectional(new GRU(3, { returnState: true }), { mergeMode: null });
    expect(layer<Tensor[]>(values([2, 4, 5])).map(({ shape }) => shape)).toEqual(Array(4).fill([2, 3]));
    expect(layer(Input([4, 5])) as unknown).toMatchObject(Array(4).fill({ shape: [null, 3] }));
    const joined = new Bidirectional(new GRU(3, { returnSequences: true }));
    expect(joined(Input([null, 5])).shape).toEqual([null, null, 6]);
  });
  it("hands the first half of the states forwards, the second backwards", async () => {
    const layer = new Bidirectional(new GRU(3), { mergeMode: null });
    const [x, a, b] = [values([2, 4, 5]), values([2, 3], 2), values([2, 3], 3)];
    const [forward, backward] = layer<[Tensor, Tensor]>(x, { initialState: [a, b] });
    expect(await elements(forward)).toEqual(await elements(layer.forwardLayer(x, a)));
    expect(await elements(backward)).toEqual(await elements(layer.backwardLayer(x, b)));
  });
  it("keeps states and forgets them", async () => {
    const layer = new Bidirectional(new GRU(3, { stateful: true }));
    const x = values([2, 4, 5]);
    const first = await elements(layer(x));
    expect(await elements(layer(x))).not.toEqual(first);
    expect(layer.states!.length).toBe(2);
    layer.resetState();
    expect(await elements(layer(x))).toEqual(first);
    expect(() => new Bidirectional(new GRU(3)).resetState()).toThrow(/stateful: true/);
  });
  it("is saved with both layers", async () => {
    const layer = new Bidirectional(new LSTM(3), {
      backwardLayer: new LSTM(3, { goBackwards: true, activation: "relu", name: "other" }),
    });
    const x = values([2, 4, 5]);
    const y = layer(x);
    const saved = serializeKerasObject(layer) as { config: Record<string, unknown> };
    expect(Object.keys(saved.config).slice(-3)).toEqual(["merge_mode", "layer", "backward_layer"]);
    const loaded = deserializeKerasObject(saved) as Bidirectional;
    loaded.setWeights(await layer.getWeights());
    expect(await elements(loaded(x))).toEqual(await elements(y));
  });
  it("refuses layers that do not belong together", () => {
    expect(() => new Bidirectional(new Dense(3))).toThrow(/must be a recurrent layer/);
    expect(() => new Bidirectional(new LSTM(3), { backwardLayer: new LSTM(3) })).toThrow(/opposite directions/);
    const backwardLayer = new LSTM(3, { goBackwards: true, returnSequences: true });
    expect(() => new Bidirectional(new LSTM(3), { backwardLayer })).toThrow(/same `returnSequences`/);
    expect(() => new Bidirectional(new LSTM(3), { mergeMode: "max" as never })).toThrow("`Bidirectional.mergeMode`");
  });
});

describe("ConvLSTM2D", () => {
  it("gives the same with channels first and last", async () => {
    const last = new ConvLSTM2D(2, 3, { returnSequences: true, padding: "same" });
    const first = new ConvLSTM2D(2, 3, { returnSequences: true, padding: "same", dataFormat: "channels_first" });
    const x = values([1, 3, 4, 4, 1]);
    const y = last(x);
    const turned = tensor({ data: Float32Array.from(await elements(x)), shape: [1, 3, 1, 4, 4] });
    first(turned);
    first.setWeights(await last.getWeights());
    const other = first(turned);
    expect(y.shape).toEqual([1, 3, 4, 4, 2]);
    expect(other.shape).toEqual([1, 3, 2, 4, 4]);
    const [p, q] = [(await y.array()) as number[][][][][], (await other.array()) as number[][][][][]];
    for (let t = 0; t < 3; t++)
      for (let i = 0; i < 4; i++)
        for (let k = 0; k < 4; k++)
          for (let c = 0; c < 2; c++) expect(p[0]![t]![i]![k]![c]!).toBeCloseTo(q[0]![t]![c]![i]![k]!, 5);
  });
  it("says what is wrong with its arguments", () => {
    expect(() => new ConvLSTM2D(2, 3, { strides: 2, dilationRate: 2 })).toThrow(/strides above 1/);
    expect(() => new ConvLSTM2D(2, 3)(Input([3, null, 4, 1]))).toThrow(/needs to know all sizes/);
  });
});
