import "../backend/index.js";
import { beforeEach, describe, expect, it } from "vitest";
import { clearSession } from "../core/settings.js";
import type { Tensor } from "../core/tensor.js";
import { Dense } from "../layers/core/dense.js";
import { Input } from "../layers/core/input-layer.js";
import { Layer } from "../layers/layer.js";
import { Model, Sequential } from "../models/index.js";
import { add } from "../ops/arithmetic.js";
import { H5DatasetNode, H5GroupNode } from "../formats/hdf5/index.js";
import type { Saveable } from "./saveable.js";
import { writeState } from "./write-state.js";

beforeEach(clearSession);

/** Paths of objects in the file, in order, those with variables marked by their number. */
async function pathsOf(object: Saveable, skip: object[] = []): Promise<string[]> {
  const { weights } = await writeState(object, skip);
  const paths: string[] = [];
  const visit = (group: H5GroupNode, path: string): void => {
    const vars = group.children.get("vars");
    if (vars instanceof H5GroupNode) {
      const count = [...vars.children.values()].filter((child) => child instanceof H5DatasetNode).length;
      paths.push(`${path || "/"}${count > 0 ? ` ${count}` : ""}`);
    }
    for (const [name, child] of group.children)
      if (child instanceof H5GroupNode && name !== "vars") visit(child, path === "" ? name : `${path}/${name}`);
  };
  visit(weights, "");
  return paths;
}

class Block extends Layer {
  static override readonly attributeNames = { dropoutLayer: "_dropout_layer" };
  readonly outputDense = new Dense(2);
  readonly dropoutLayer = new Dense(2);
  readonly attentionAxes = [new Dense(2), [new Dense(2)], { b: new Dense(2), a: new Dense(2) }];
  override call(x: Tensor): Tensor {
    return this.outputDense(x);
  }
}

describe("paths in weight files", () => {
  it("of a stack leave out the input", async () => {
    const model = new Sequential([Input([3]), new Dense(4), new Dense(2)]);
    expect(await pathsOf(model)).toEqual(["/", "layers/dense 2", "layers/dense_1 2"]);
  });
  it("of a graph count the input and no ops", async () => {
    const x = Input([3]);
    const y = new Dense(2)(x);
    const model = new Model({ inputs: x, outputs: new Dense(1)(add(y, 1)) });
    expect(await pathsOf(model)).toEqual(["/", "layers/input_layer", "layers/dense 2", "layers/dense_1 2"]);
  });
  it("of a shared object are those of its first place", async () => {
    const inner = new Sequential([Input([2]), new Dense(2)]);
    const x = Input([2]);
    const model = new Model({ inputs: x, outputs: inner(inner(x)) });
    expect(await pathsOf(model)).toEqual([
      "/",
      "layers/input_layer",
      "layers/sequential",
      "layers/sequential/layers/dense 2",
    ]);
  });
  it("of attributes are in Python's spelling, private ones last, containers by class", async () => {
    const block = new Block();
    expect(await pathsOf(block)).toEqual([
      "/",
      "attention_axes/dense",
      "attention_axes/container/dense",
      "attention_axes/container_1/dense",
      "attention_axes/container_1/dense_1",
      "output_dense",
      "_dropout_layer",
    ]);
  });
  it("of a model's attributes are their own before `layers`, and in `layers` after it", async () => {
    class Net extends Model {
      readonly zLast = new Dense(2);
      readonly aFirst = new Dense(2);
      readonly _private = new Dense(2);
    }
    expect(await pathsOf(new Net())).toEqual(["/", "a_first", "layers/dense", "layers/dense_2"]);
  });
  it("of layers in private fields exist when those are reported", async () => {
    class Hidden extends Layer {
      readonly #dense = this.track(new Dense(2));
      override call(x: Tensor): Tensor {
        return this.#dense(x);
      }
    }
    expect(await pathsOf(new Hidden())).toEqual(["/", "_tracked/dense"]);
  });
  it("of properties are those of users' classes", async () => {
    class Base extends Layer {
      readonly _inner = new Dense(2);
      get encoder(): Dense {
        return this._inner;
      }
      get broken(): never {
        throw new Error("not now");
      }
    }
    class Derived extends Base {}
    expect(await pathsOf(new Derived())).toEqual(["/", "encoder"]);
  });
  it("leave out what is skipped, with all below it", async () => {
    const inner = new Sequential([Input([2]), new Dense(2)]);
    const model = new Sequential([Input([2]), inner, new Dense(1)]);
    expect(await pathsOf(model, [inner])).toEqual(["/", "layers/dense 2"]);
  });
  it("end where objects contain each other", async () => {
    class Ring extends Layer {
      next: Ring | null = null;
    }
    const [a, b] = [new Ring(), new Ring()];
    a.next = b;
    b.next = a;
    expect(await pathsOf(a)).toEqual(["/", "next"]);
  });
});

it("a state is that of the moment of the call", async () => {
  const model = new Sequential([Input([1]), new Dense(1, { kernelInitializer: "ones" })]);
  const state = writeState(model);
  model.setWeights([[[5]], [5]]);
  const kernel = (await state).weights.group("layers/dense/vars").children.get("0") as H5DatasetNode;
  expect((kernel.data as { toArray(): unknown }).toArray()).toEqual([[1]]);
});
