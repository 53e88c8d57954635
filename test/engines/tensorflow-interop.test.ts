import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, it } from "vitest";
import type * as keras from "../../src/index.js";
import { kerasOn } from "../support/keras-on.js";

const { ops, tensor, Tensor, TensorScope } = await kerasOn("tensorflow");
const { fromTfjs, toTfjs } = await import("../../src/backend/tensorflow/index.js");

/** Where the values of a tensor of TensorFlow.js lie. */
function addressOf({ dataId }: tf.Tensor): number {
  const { dataIdMap } = tf.backend() as unknown as { dataIdMap: { get(id: object): { memoryOffset: number } } };
  return dataIdMap.get(dataId).memoryOffset;
}
function make(values: ArrayLike<number>, shape: number[], dtype: "float32" | "int32" | "bool" = "float32"): tf.Tensor {
  const storage = { float32: Float32Array, int32: Int32Array, bool: Uint8Array }[dtype];
  return tf.engine().makeTensor(storage.from(values), shape, dtype);
}

describe.each(["tensorflow", "numpy"])("tensors of TensorFlow.js on the engine %s", (backend) => {
  it("go wherever tensors go", async () => {
    const { Input, layers, ops, Sequential } = await kerasOn(backend);
    await tf.setBackend("wasm");
    const x = make(
      Float32Array.from({ length: 12 }, (_, i) => i / 12),
      [4, 3],
    );
    const [, second] = (await ops.sum(x, { axis: 1 }).array()) as number[];
    expect(second).toBeCloseTo(1, 5);
    expect(ops.shape(x)).toEqual([4, 3]);
    expect(await ops.add(make([5], [1], "int32"), 2.5).array()).toEqual([7.5]);
    expect(await ops.sum(make([0, 3], [2], "bool")).item()).toBe(1);

    const model = new Sequential([Input([3]), new layers.Dense(2, { kernelInitializer: "ones" })]);
    const called = (await (model.call(x as never) as keras.Tensor).array()) as number[][];
    expect(called[1]![0]).toBeCloseTo(1, 5);
    model.compile({ optimizer: "sgd", loss: "mse" });
    const y = make(new Float32Array(8), [4, 2]);
    const { history } = await model.fit(x, y, { epochs: 2, verbose: 0 });
    const losses = history["loss"] as number[];
    expect(losses[1]).toBeLessThan(losses[0]!);
    expect(await model.predict(x, { verbose: 0 })).toMatchObject({ shape: [4, 2] });
    expect(await model.trainOnBatch(x, y)).toBeLessThan(losses[1]!);
    x.dispose();
  });
});

describe("on their own engine", () => {
  it.each([[[2, 3]], [[100, 200]]])("share their memory, shape %s", async (shape) => {
    const size = shape[0]! * shape[1]!;
    const before = tf.memory().numTensors;
    const given = make(
      Float32Array.from({ length: size }, (_, i) => i),
      shape,
    );
    const x = fromTfjs(given);
    const back = toTfjs(x);
    expect(addressOf(back)).toBe(addressOf(given));
    expect(back.shape).toEqual(shape);
    given.dispose();
    // Through the compiler and back, with the giver gone.
    const twice = ops.add(x, x);
    x.dispose();
    const out = toTfjs(twice);
    twice.dispose();
    expect([...out.dataSync().slice(0, 3)]).toEqual([0, 2, 4]);
    expect([...back.dataSync().slice(0, 3)]).toEqual([0, 1, 2]);
    out.dispose();
    back.dispose();
    expect(tf.memory().numTensors).toBe(before);
  });

  it("leave and enter scopes of either side", async () => {
    const large = Float32Array.from({ length: 30_000 }, (_, i) => i);
    let kept: keras.Tensor | null = null;
    tf.tidy(() => {
      kept = ops.multiply(make(large, [30_000]), 3);
    });
    expect(((await kept!.array()) as number[])[2]).toBe(6);
    const before = tf.memory().numTensors;
    let out: tf.Tensor;
    {
      using _ = new TensorScope();
      out = toTfjs(ops.multiply(tensor(large), 2));
    }
    expect(out.dataSync()[2]).toBe(4);
    out.dispose();
    tf.tidy(() => void toTfjs(kept!));
    expect(tf.memory().numTensors).toBeLessThanOrEqual(before + 1);
    kept!.dispose();
  });

  it("are copied where types differ, and say so where they cannot be had", () => {
    expect(fromTfjs(make([0, 7], [2], "bool"))).toBeInstanceOf(Tensor);
    expect(() => toTfjs(tensor([1, 2], "uint8"))).toThrow(/no tensors of uint8/);
    expect(() => fromTfjs(tf.engine().makeTensor(["a"], [1], "string"))).toThrow(/elements of type string/);
  });
});
