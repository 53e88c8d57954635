import "../backend/index.js";
import { beforeEach, describe, expect, it } from "vitest";
import { clearSession } from "../core/settings.js";
import { KerasTensor } from "../core/keras-tensor.js";
import { type Tensor, tensor } from "../core/tensor.js";
import { add, multiply } from "../ops/arithmetic.js";
import { relu } from "../ops/activation.js";
import { Dense } from "../layers/core/dense.js";
import { Input } from "../layers/core/input-layer.js";
import { Layer } from "../layers/layer.js";
import { cloneModel, Functional, Model, modelFromJson, Sequential } from "./index.js";

beforeEach(clearSession);

const ones = { kernelInitializer: "ones", biasInitializer: "zeros" } as const;

class Sum extends Layer {
  override call([a, b]: Tensor[]): Tensor {
    return add(a!, b!);
  }
}

describe("a model of a graph", () => {
  it("computes, lists its layers and names its weights", async () => {
    const inputs = Input([2]);
    const hidden = new Dense(3, ones)(inputs);
    const outputs = new Dense(1, ones)(relu(hidden));
    const model = new Model({ inputs, outputs });
    expect(model).toBeInstanceOf(Functional);
    expect(model.name).toBe("functional");
    expect(model.layers.map(({ name }) => name)).toEqual(["input_layer", "dense", "dense_1"]);
    expect((model as Functional).operations.map(({ name }) => name)).toEqual([
      "input_layer",
      "dense",
      "relu",
      "dense_1",
    ]);
    expect(model.weights.map(({ path }) => path)).toEqual([
      "dense/kernel",
      "dense/bias",
      "dense_1/kernel",
      "dense_1/bias",
    ]);
    expect(await model([[1, 2]]).array()).toEqual([[9]]);
    expect(model.getBuildConfig()).toEqual({ input_shape: null });
  });

  it("shares layers called twice", async () => {
    const shared = new Dense(2, ones);
    const [a, b] = [Input([3]), Input([3])];
    const model = new Model({ inputs: [a, b], outputs: new Sum()([shared(a), shared(b)]) });
    expect(model.weights.length).toBe(2);
    const y = model([tensor([[1, 1, 1]]), tensor([[2, 2, 2]])]);
    expect(await y.array()).toEqual([[9, 9]]);
    expect(model.getLayer("dense")).toBe(shared);
    expect(() => model.getLayer("other")).toThrow(
      'has no layer "other". Its layers: input_layer, input_layer_1, dense, sum.',
    );
  });

  it("takes and gives dicts", async () => {
    const inputs = { b: Input([1], { name: "b" }), a: Input([1], { name: "a" }) };
    const model = new Model({ inputs, outputs: { total: add(inputs.a, inputs.b), double: multiply(inputs.a, 2) } });
    const result = model<{ total: Tensor; double: Tensor }>({ a: [[1]], b: [[5]] });
    expect([await result.total.array(), await result.double.array()]).toEqual([[[6]], [[2]]]);
  });

  it("can be part of another", async () => {
    const x = Input([2]);
    const inner = new Model({ inputs: x, outputs: new Dense(2, ones)(x), name: "inner" });
    const outer = new Sequential([Input([2]), inner, new Dense(1, ones)]);
    expect(await outer([[1, 2]]).array()).toEqual([[6]]);
    expect(outer.weights.length).toBe(4);
    expect(inner(Input([2])).shape).toEqual([null, 2]);
  });

  it("may begin inside another graph", async () => {
    const x = Input([2]);
    const hidden = new Dense(2, ones)(x);
    const last = new Dense(1, ones);
    new Model({ inputs: x, outputs: last(hidden) });
    const head = new Model({ inputs: hidden, outputs: last.output as KerasTensor });
    expect(head.layers.length).toBe(2);
    expect(head.weights).toEqual(last.weights);
    expect(await head([[3, 4]]).array()).toEqual([[7]]);
  });

  it("repairs a last axis of size 1", async () => {
    const x = Input([1]);
    const model = new Model({ inputs: x, outputs: multiply(x, 2) });
    expect(await model(tensor([1, 2])).array()).toEqual([[2], [4]]);
    expect(() => model(tensor([[1, 2]]))).toThrow('Input 0 of layer "functional" is incompatible');
  });

  it("refuses graphs that are none", () => {
    const [a, b] = [Input([2]), Input([2])];
    expect(() => new Model({ inputs: a, outputs: add(a, b) })).toThrow("none of the inputs leads to");
    expect(() => new Model({ inputs: a, outputs: tensor([1]) })).toThrow("`Model.outputs` must be symbolic tensors");
    const y = new Dense(1, { name: "same" })(new Dense(1, { name: "same" })(a));
    expect(() => new Model({ inputs: a, outputs: y })).toThrow('The name "same" is used more than once');
    const fresh = new KerasTensor([null, 2]);
    expect(() => new Model({ inputs: a, outputs: fresh })).toThrow();
  });

  it("takes inputs and outputs by position as well, and comes back through Model", () => {
    const x = Input([2]);
    const model = new Model(x, new Dense(1)(x), { name: "mine" });
    expect([model.name, model instanceof Functional]).toEqual(["mine", true]);
    const copy = Model.fromConfig(model.getConfig());
    expect([copy.name, copy instanceof Functional, copy.layers.length]).toEqual(["mine", true, 2]);
  });

  it("freezes with all its layers", () => {
    const x = Input([2]);
    const model = new Model({ inputs: x, outputs: new Dense(1)(x), trainable: false });
    expect([model.trainableWeights.length, model.layers[1]!.trainable]).toEqual([0, false]);
    expect(Model.fromConfig(model.getConfig()).trainable).toBe(false);
  });

  it("may be subclassed", async () => {
    class Twice extends Model {
      constructor(units: number) {
        const inputs = Input([2]);
        super({ inputs, outputs: new Dense(units, ones)(inputs) });
      }
      twice(x: Tensor): Tensor {
        return multiply(this(x), 2);
      }
    }
    const model = new Twice(1);
    expect([model instanceof Functional, model instanceof Twice, model.name]).toEqual([true, true, "twice"]);
    expect(await model.twice(tensor([[1, 2]])).array()).toEqual([[6]]);
    expect(new Twice(3).outputs[0]!.shape).toEqual([null, 3]);
  });
});

describe("Sequential", () => {
  it("builds at once when it begins with an input", () => {
    const model = new Sequential([Input([4]), new Dense(3), new Dense(2)]);
    expect([model.built, model.outputShape, model.name]).toEqual([true, [null, 2], "sequential"]);
    expect(model.weights.map(({ path }) => path)[0]).toBe("sequential/dense/kernel");
    expect(model.layers.map(({ name }) => name)).toEqual(["dense", "dense_1"]);
    expect(model.countParams()).toBe(23);
  });

  it("else at its first call", async () => {
    const model = new Sequential();
    model.add(new Dense(3, ones));
    model.add(new Dense(1, ones));
    expect([model.built, model.weights.length]).toEqual([false, 0]);
    expect(await model([[1, 2]]).array()).toEqual([[9]]);
    expect(model.inputShape).toEqual([1, 2]);
    expect(model.pop().name).toBe("dense_1");
    expect(model.layers.length).toBe(1);
  });

  it("takes the input shape from its first layer", () => {
    const model = new Sequential([new Dense(3, { inputShape: [5] }), new Dense(2)]);
    expect(model.inputShape).toEqual([null, 5]);
  });

  it("refuses what is no layer, equal names and second inputs", () => {
    const model = new Sequential([Input([2]), new Dense(1, { name: "a" })]);
    expect(() => model.add(new Dense(1, { name: "a" }))).toThrow('already has a layer named "a"');
    expect(() => model.add(Input([3]))).toThrow("already has the input shape [null, 2]");
    expect(() => model.add("dense" as never)).toThrow('A Sequential takes layers and Input(). Received: "dense"');
    expect(() => model.build([null, 3])).toThrow("It cannot be built with [null, 3]");
  });
});

describe("a subclassed model", () => {
  class Mlp extends Model {
    readonly hidden = new Dense(3, ones);
    readonly head = new Dense(1, ones);
    override call(x: Tensor): Tensor {
      return this.head(this.hidden(x));
    }
  }

  it("builds at its first call and names its weights", async () => {
    const model = new Mlp();
    expect(await model([[1, 2]]).array()).toEqual([[9]]);
    expect(model.weights.map(({ path }) => path)).toEqual([
      "mlp/dense/kernel",
      "mlp/dense/bias",
      "mlp/dense_1/kernel",
      "mlp/dense_1/bias",
    ]);
    expect(() => model.inputs).toThrow('The model "mlp" has no symbolic inputs');
  });

  it("can be built from a shape", () => {
    const model = new Mlp();
    model.build([null, 2]);
    expect(model.countParams()).toBe(13);
  });

  it("is built again from its build config", () => {
    const model = new Mlp();
    model([[1, 2]]);
    const other = new Mlp();
    other.buildFromConfig(model.getBuildConfig()!);
    expect(other.weights.map(({ shape }) => shape)).toEqual(model.weights.map(({ shape }) => shape));
  });
});

describe("configs", () => {
  function branched(): Model {
    const [a, b] = [Input([4], { name: "a" }), Input([4], { name: "b" })];
    const shared = new Dense(3, { activation: "relu" });
    const [x, y] = [shared(a), shared(b)];
    const inner = new Sequential([Input([3]), new Dense(3)]);
    const z = add(multiply(inner(x), 2), y);
    return new Model({ inputs: [a, b], outputs: [new Dense(1)(z), inner(y)] });
  }

  it("come back as an equal model", async () => {
    const model = branched();
    const json = model.toJson();
    const copy = modelFromJson(json);
    expect(copy.toJson()).toBe(json);
    copy.setWeights(await model.getWeights());
    const inputs = [tensor([[1, 2, 3, 4]]), tensor([[4, 3, 2, 1]])];
    const [one, two] = [model<Tensor[]>(inputs), copy<Tensor[]>(inputs)];
    for (const i of [0, 1]) expect(await two[i]!.array()).toEqual(await one[i]!.array());
  });

  it("of clones agree up to names", async () => {
    const model = branched();
    const copy = cloneModel(model);
    expect(copy.layers.map(({ name }) => name)).toEqual(model.layers.map(({ name }) => name));
    expect(copy.weights.map(({ shape }) => shape)).toEqual(model.weights.map(({ shape }) => shape));
    expect(copy.weights.some((weight) => model.weights.includes(weight))).toBe(false);
    const sequential = new Sequential([Input([2]), new Dense(1)]);
    expect((cloneModel(sequential) as Sequential).inputShape).toEqual([null, 2]);
  });

  it("of a frozen Sequential come back unfrozen, as in Python", () => {
    const model = new Sequential([Input([2]), new Dense(1), new Dense(1)], { trainable: false });
    const copy = Sequential.fromConfig(model.getConfig());
    expect([copy.trainable, copy.name, copy.outputShape]).toEqual([true, "sequential", [null, 1]]);
  });
});
