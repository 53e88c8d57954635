import "../../backend/index.js";
import { beforeEach, expect, it } from "vitest";
import { deserializeKerasObject } from "../../config/deserialize.js";
import { serializeKerasObject } from "../../config/serialize.js";
import type { KerasTensor } from "../../core/keras-tensor.js";
import { clearSession } from "../../core/settings.js";
import { tensor, type Tensor } from "../../core/tensor.js";
import { Model } from "../../models/index.js";
import * as P from "../../primitives/index.js";
import { BatchNormalization, Dense, Dropout, Input, Layer, TimeDistributed, Wrapper } from "../index.js";

beforeEach(clearSession);
const counting = (shape: readonly number[]): Tensor =>
  tensor({ data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => i / 10), shape: [...shape] });
const array = async (x: Tensor): Promise<number[]> => [...(await x.data()).numbers()];

it("applies its layer to every step", async () => {
  const [dense, x] = [new Dense(2), counting([2, 3, 4])];
  const y = new TimeDistributed(dense)(x);
  expect(y.shape).toEqual([2, 3, 2]);
  const whole = await array(dense(x));
  (await array(y)).forEach((value, i) => expect(value).toBeCloseTo(whole[i]!, 5));
  expect(dense.kernel!.path).toBe("time_distributed/dense/kernel");
});
it("hands masks on step by step, and training", () => {
  const seen: unknown[] = [];
  class Spy extends Layer {
    override call(x: Tensor, { mask, training }: { mask?: Tensor; training?: boolean } = {}): Tensor {
      seen.push([x.shape, mask?.shape ?? null, training ?? null]);
      return x;
    }
  }
  const x = counting([2, 3, 4]);
  new TimeDistributed(new Spy())(x, {
    mask: tensor([
      [true, true, false],
      [true, false, false],
    ]),
    training: true,
  });
  new TimeDistributed(new Spy())(x);
  expect(seen.slice(0, 3)).toEqual(Array(3).fill([[2, 4], [2], true]));
  expect(seen.slice(3)).toEqual(Array(3).fill([[2, 4], null, null]));
});
it("updates state once a step", async () => {
  const norm = new BatchNormalization({ momentum: 0.5 });
  const x = P.full([4, 3, 2], 1, "float32");
  new TimeDistributed(norm)(x, { training: true });
  expect(await array(norm.movingMean!.value)).toEqual([0.875, 0.875]);
});
it("works in graphs of unknown length", async () => {
  const inputs = Input([null, 4]);
  const outputs = new TimeDistributed(new Dense(2))(inputs);
  expect(outputs.shape).toEqual([null, null, 2]);
  class Around extends Layer {
    readonly inner = new TimeDistributed(new Dense(3));
    override call(x: Tensor): Tensor {
      return this.inner(x);
    }
  }
  expect((new Around()(inputs) as KerasTensor).shape).toEqual([null, null, 3]);
  const x = counting([2, 5, 4]);
  expect((new Model({ inputs, outputs })(x) as Tensor).shape).toEqual([2, 5, 2]);
});
it("is saved with its layer", async () => {
  const layer = new TimeDistributed(new Dense(2, { activation: "tanh" }));
  const x = counting([2, 3, 4]);
  const y = await array(layer(x));
  const again = deserializeKerasObject(serializeKerasObject(layer)) as TimeDistributed;
  again.setWeights(await layer.getWeights());
  expect(await array(again(x))).toEqual(y);
});
it("draws for each step anew", async () => {
  const y = (await new TimeDistributed(new Dropout(0.5, { seed: 1 }))(P.full([1, 2, 50], 1, "float32"), {
    training: true,
  }).array()) as number[][][];
  expect(y[0]![0]).not.toEqual(y[0]![1]);
});
it("says what it cannot do", () => {
  const make = () => new TimeDistributed(new Dense(2));
  expect(() => make()(counting([2, 3]))).toThrow("at least 3 axes");
  expect(() => make()([counting([2, 3, 4]), counting([2, 3, 4])])).toThrow("Received several tensors");
  expect(() =>
    make()(counting([2, 3, 4]), {
      mask: tensor([
        [true, true],
        [true, true],
      ]),
    }),
  ).toThrow("the first two axes");
  expect(() => new TimeDistributed("dense" as never)).toThrow("`TimeDistributed.layer` must be a layer");
});
it("a wrapper of one's own builds and saves its layer", async () => {
  class Twice extends Wrapper {
    override call(x: Tensor): Tensor {
      return this.layer(this.layer(x) as Tensor);
    }
  }
  const layer = new Twice(new Dense(4));
  const x = counting([2, 4]);
  const y = await array(layer(x));
  const again = deserializeKerasObject(serializeKerasObject(layer), { customObjects: { Twice } }) as Twice;
  again.setWeights(await layer.getWeights());
  expect(await array(again(x))).toEqual(y);
});
