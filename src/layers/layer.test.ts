import "../backend/index.js";
import { beforeEach, describe, expect, it } from "vitest";
import { clearSession } from "../core/settings.js";
import type { SymbolicShape } from "../core/keras-tensor.js";
import { type Tensor, tensor } from "../core/tensor.js";
import { Variable } from "../core/variable.js";
import { add, multiply } from "../ops/arithmetic.js";
import { sum } from "../ops/reductions.js";
import { Dense } from "./core/dense.js";
import { Identity } from "./core/identity.js";
import { Input } from "./core/input-layer.js";
import { Layer, type LayerOptions } from "./layer.js";

beforeEach(clearSession);

class Scale extends Layer {
  factor: Variable | null = null;
  constructor(
    readonly start = 2,
    options: LayerOptions = {},
  ) {
    super(options);
  }
  override build(inputShape: SymbolicShape): void {
    this.factor = this.addWeight({ name: "factor", shape: [inputShape.at(-1)!], initializer: "ones" });
    this.factor.assign(multiply(this.factor, this.start));
  }
  override call(inputs: Tensor): Tensor {
    return multiply(inputs, this.factor!);
  }
}

describe("a layer", () => {
  it("builds itself at its first call and computes", async () => {
    const dense = new Dense(3, { kernelInitializer: "ones", biasInitializer: "ones" });
    expect(dense.built).toBe(false);
    const y = dense(tensor([[1, 2]]));
    expect(await y.array()).toEqual([[4, 4, 4]]);
    expect(dense.weights.map(({ path, shape }) => [path, shape])).toEqual([
      ["dense/kernel", [2, 3]],
      ["dense/bias", [3]],
    ]);
    expect([dense.built, dense.path, dense.countParams()]).toEqual([true, "dense", 9]);
    expect(dense.getBuildConfig()).toEqual({ input_shape: [1, 2] });
  });

  it("takes host data", async () => {
    const layer = new Scale();
    expect(await layer([[1, 2]]).array()).toEqual([[2, 4]]);
    expect(await layer(new Float64Array([1, 2])).array()).toEqual([2, 4]);
  });

  it("gives symbolic outputs for symbolic inputs", () => {
    const y = new Dense(3)(Input([4]));
    expect([y.shape, y.dtype]).toEqual([[null, 3], "float32"]);
    const z = new Scale()(y);
    expect(z.shape).toEqual([null, 3]);
    expect(z.history?.operation.name).toBe("scale");
  });

  it("refuses inputs it cannot take, naming itself", () => {
    expect(() => new Dense(3)(tensor([1, 2]))).toThrow(
      'Input 0 of layer "dense" is incompatible with the layer: expected min_ndim=2, found ndim=1. Full shape received: [2].',
    );
    const dense = new Dense(3);
    dense(Input([4]));
    expect(() => dense(Input([5]))).toThrow("expected axis -1 of input shape to have value 4, found value 5");
    expect(() => new Dense(3)(Input([null]))).toThrow("needs a known size of the last input axis");
    expect(() => new Dense(3)("text" as never)).toThrow("takes only tensors as positional arguments");
    expect(() => new Dense(3)(tensor([[1]]), { trainning: true })).toThrow("takes no option `trainning`");
  });

  it("is locked once it is built", () => {
    const layer = new Scale();
    layer(tensor([[1]]));
    expect(() => layer.addWeight({ name: "late" })).toThrow('cannot get the weight "late": it is already built');
  });

  it("says so when it has no call", () => {
    class Empty extends Layer {}
    expect(() => new Empty()(tensor([1]))).toThrow("`Empty` has no `call` method");
  });
});

describe("sublayers and variables", () => {
  class Block extends Layer {
    readonly first = new Dense(4);
    readonly more: Layer[] = [new Dense(5), new Scale()];
    readonly named = { last: new Dense(2) };
    readonly step = new Variable([0], { name: "step", trainable: false });
    override call(inputs: Tensor): Tensor {
      let x: Tensor = this.first(inputs);
      for (const layer of this.more) x = layer(x);
      return this.named.last(x);
    }
  }

  it("are found among the properties, in their order", () => {
    const block = new Block();
    expect(block.sublayers.map(({ name }) => name)).toEqual(["dense", "dense_1", "scale", "dense_2"]);
    const y = block(Input([3]));
    expect(y.shape).toEqual([null, 2]);
    expect(block.weights.map(({ path }) => path)).toEqual([
      "step",
      "block/dense/kernel",
      "block/dense/bias",
      "block/dense_1/kernel",
      "block/dense_1/bias",
      "block/scale/factor",
      "block/dense_2/kernel",
      "block/dense_2/bias",
    ]);
    expect(block.trainableWeights.length).toBe(7);
  });

  it("in private fields have to be reported", () => {
    class Hidden extends Layer {
      readonly #dense = this.track(new Dense(2));
      override call(inputs: Tensor): Tensor {
        return this.#dense(inputs);
      }
    }
    const layer = new Hidden();
    layer(tensor([[1]]));
    expect(layer.weights.length).toBe(2);
  });

  it("follow `trainable`", () => {
    const block = new Block();
    block(tensor([[1, 2, 3]]));
    block.trainable = false;
    expect([block.trainableWeights.length, block.nonTrainableWeights.length]).toEqual([0, 8]);
    expect(block.first.trainable).toBe(false);
    block.trainable = true;
    expect(block.trainableWeights.length).toBe(7);
  });

  it("can be read and set", async () => {
    const dense = new Dense(1);
    dense.build([null, 2]);
    dense.setWeights([[[3], [4]], [5]]);
    expect((await dense.getWeights()).map((array) => array.toArray())).toEqual([[[3], [4]], [5]]);
    expect(() => dense.setWeights([[1]])).toThrow("has 2 weights, but it was given 1 values");
    expect(() => dense.setWeights([[[3]], [5]])).toThrow('"dense/kernel" of layer "dense" has shape [2,1]');
  });
});

describe("training", () => {
  class Probe extends Layer {
    seen: unknown[] = [];
    override call(inputs: Tensor, { training }: { training?: boolean } = {}): Tensor {
      this.seen.push(training);
      return inputs;
    }
  }
  class Outer extends Layer {
    readonly a = new Probe();
    readonly b = new Probe();
    constructor(private readonly explicit?: boolean) {
      super();
    }
    override call(inputs: Tensor): Tensor {
      const x = this.explicit === undefined ? this.a(inputs) : this.a(inputs, { training: this.explicit });
      return this.b(x);
    }
  }

  it("reaches the layers inside", () => {
    const outer = new Outer();
    outer(tensor([1]), { training: true });
    outer(tensor([1]));
    // The first call was preceded by one that built the layers, without knowing.
    expect([outer.a.seen.slice(-2), outer.b.seen.slice(-2)]).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
  });

  it("given to an inner call holds for those after it", () => {
    const outer = new Outer(true);
    outer(tensor([1]), { training: false });
    expect([outer.a.seen.at(-1), outer.b.seen.at(-1)]).toEqual([true, true]);
  });
});

describe("dtypes", () => {
  it("are cast by policy", () => {
    const dense = new Dense(2, { dtype: "mixed_bfloat16" });
    const y = dense(tensor([[1, 2]]));
    expect([y.dtype, dense.kernel!.variableDType, dense.computeDtype]).toEqual(["bfloat16", "float32", "bfloat16"]);
    expect(dense(Input([2])).dtype).toBe("bfloat16");
    expect(dense.getConfig()["dtype"]).toMatchObject({ config: { name: "mixed_bfloat16" } });
  });

  it("of integers are left alone", () => {
    expect(new Identity()(tensor([1, 2], "int32")).dtype).toBe("int32");
  });
});

describe("losses", () => {
  class Penalized extends Layer {
    override call(inputs: Tensor): Tensor {
      this.addLoss(sum(inputs));
      return inputs;
    }
  }

  it("last until the next outermost call", async () => {
    const layer = new Penalized();
    layer(tensor([1, 2]));
    layer(tensor([3, 4]));
    expect(await Promise.all(layer.losses.map((loss) => loss.item()))).toEqual([7]);
  });

  it("include penalties of weights and activations", async () => {
    const dense = new Dense(1, {
      kernelInitializer: "ones",
      kernelRegularizer: "l2",
      activityRegularizer: "l1",
      useBias: false,
    });
    dense(tensor([[1], [3]]));
    const values = await Promise.all(dense.losses.map((loss) => loss.item()));
    expect(values[0]).toBeCloseTo(0.02, 6);
    expect(values[1]).toBeCloseTo(0.01, 6);
    expect(dense.getConfig()["activity_regularizer"]).toMatchObject({ class_name: "L1" });
  });
});

describe("masks", () => {
  it("pass through layers that support them", () => {
    const x = tensor([[[1], [2]]]);
    x.kerasMask = tensor([[true, false]]);
    expect(new Dense(2)(x).kerasMask).toBe(x.kerasMask);
    expect(new Scale()(x).kerasMask).toBe(null);
  });

  it("are handed to call", () => {
    let seen: unknown;
    class Masked extends Layer {
      override call(inputs: Tensor, { mask }: { mask?: Tensor } = {}): Tensor {
        seen = mask;
        return add(inputs, 1);
      }
    }
    const x = tensor([[1]]);
    const mask = tensor([true]);
    x.kerasMask = mask;
    new Masked()(x);
    expect(seen).toBe(mask);
  });
});

describe("stateless calls", () => {
  it("use the given values and change nothing", async () => {
    const dense = new Dense(1, { kernelInitializer: "zeros" });
    dense.build([null, 1]);
    const [y, rest] = dense.statelessCall([tensor([[2]]), tensor([1])], [], tensor([[3]]));
    expect(await (y as Tensor).array()).toEqual([[7]]);
    expect(rest).toEqual([]);
    expect(await dense.kernel!.stored.array()).toEqual([[0]]);
    expect(() => dense.statelessCall([], [], tensor([[3]]))).toThrow("has 2 trainable variables");
  });
});
