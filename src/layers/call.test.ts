import "../backend/index.js";
import { beforeEach, describe, expect, it } from "vitest";
import { clearSession } from "../core/settings.js";
import type { KerasTensor, SymbolicShape } from "../core/keras-tensor.js";
import { type Tensor, tensor } from "../core/tensor.js";
import { add, multiply } from "../ops/arithmetic.js";
import { cast } from "../ops/elementwise.js";
import { notEqual } from "../ops/logic.js";
import { Input, Layer } from "./index.js";

beforeEach(clearSession);

/** A layer of several tensors, as attention is. */
class Attend extends Layer {
  static override readonly callArguments: readonly string[] = ["query", "value", "key"];
  static override readonly callOptions: readonly string[] = ["queryMask", "factor"];
  shapes: unknown[] = [];
  seen: unknown[] = [];
  override build(...shapes: SymbolicShape[]): void {
    this.shapes = shapes;
  }
  override call(query: Tensor, value: Tensor, key: Tensor | undefined, options: Record<string, unknown> = {}): Tensor {
    this.seen = [key, options];
    return multiply(add(query, key ? add(value, key) : value), (options["factor"] as number | undefined) ?? 1);
  }
}
/** Marks zeros as absent. */
class Marker extends Layer {
  override call(inputs: Tensor): Tensor {
    return cast(inputs, "float32");
  }
  override computeMask(inputs: Tensor): Tensor {
    return notEqual(inputs, 0);
  }
}
class Masked extends Layer {
  static override readonly callOptions: readonly string[] = ["mask"];
  override call(inputs: Tensor, { mask }: { mask?: Tensor } = {}): Tensor {
    return mask ? multiply(inputs, cast(mask, "float32")) : inputs;
  }
}

const [q, v, k] = [[[1]], [[2]], [[3]]];

describe("a layer of several tensors", () => {
  it("gets them in order, and the options last", async () => {
    const attend = new Attend();
    expect(await attend(q, v).array()).toEqual([[3]]);
    expect(attend.seen).toEqual([undefined, {}]);
    expect(await attend(q, v, k).array()).toEqual([[6]]);
    expect(await attend(q, v, { factor: 2, training: true }).array()).toEqual([[6]]);
    expect(attend.seen).toEqual([undefined, { factor: 2, training: true }]);
  });

  it("takes them by name as well", async () => {
    expect(await new Attend()(q, { value: v, key: k }).array()).toEqual([[6]]);
  });

  it("is built from all shapes and remembers those it got", () => {
    const attend = new Attend();
    attend(Input([1]), Input([1]));
    expect(attend.shapes).toEqual([
      [null, 1],
      [null, 1],
    ]);
    class Two extends Attend {
      override build(_query: SymbolicShape, _value: SymbolicShape): void {}
    }
    const two = new Two();
    two(q, v, k);
    expect(two.getBuildConfig()).toEqual({ shapes_dict: { query_shape: [1, 1], value_shape: [1, 1] } });
    const again = new Two();
    again.buildFromConfig(two.getBuildConfig()!);
    expect(again.getBuildConfig()).toEqual(two.getBuildConfig());
  });

  it("gets the masks it declares", () => {
    const attend = new Attend();
    const query = tensor(q, "float32");
    query.kerasMask = tensor([true]);
    attend(query, v);
    expect(attend.seen[1]).toEqual({ queryMask: query.kerasMask });
  });

  it("refuses options it does not declare", () => {
    expect(() => new Attend()(q, v, { factr: 2 })).toThrow(
      "Calling `Attend` takes no option `factr`. Known options: training, mask, queryMask, factor.",
    );
  });

  it("takes null for what may be absent, and nothing but tensors otherwise", () => {
    expect(() => new Attend()(q, v, "key")).toThrow('takes only tensors as positional arguments. Received: "key"');
    expect(() => new Attend()(q, v, null)).not.toThrow();
  });
});

describe("masks of symbolic tensors", () => {
  it("become part of the graph", () => {
    const x = Input([3], { dtype: "int32" });
    const y: KerasTensor = new Marker()(x);
    const z = new Masked()(y);
    const node = z.history!.operation.inboundNodes[0]!;
    expect(node.inputs.map(({ history }) => history!.operation.name)).toEqual(["marker", "not_equal"]);
    expect(node.args[1]).toEqual({ mask: y.kerasMask });
  });

  it("reach computing layers as values", async () => {
    const y = new Masked()(new Marker()(tensor([[0, 5, 0]], "int32")));
    expect(await y.array()).toEqual([[0, 5, 0]]);
    expect(y.kerasMask).toBe(null);
  });
});

describe("outputs", () => {
  it("may be nested", async () => {
    class Pair extends Layer {
      override call(inputs: Tensor): { twice: Tensor; parts: Tensor[] } {
        return { twice: multiply(inputs, 2), parts: [inputs, add(inputs, 1)] };
      }
    }
    const pair = new Pair();
    const eager = pair<{ twice: Tensor; parts: Tensor[] }>(tensor([1]));
    expect(await Promise.all([eager.twice, ...eager.parts].map((y) => y.array()))).toEqual([[2], [1], [2]]);
    const symbolic = pair<{ twice: KerasTensor; parts: KerasTensor[] }>(Input([4]));
    expect([symbolic.twice.shape, symbolic.parts.length, symbolic.parts[1]!.history?.tensorIndex]).toEqual([
      [null, 4],
      2,
      1,
    ]);
    expect((pair.output as KerasTensor[]).length).toBe(3);
  });

  it("of symbolic calls must be tensors", () => {
    class Text extends Layer {
      override call(): unknown {
        return "text";
      }
    }
    expect(() => new Text()(Input([1]))).toThrow('must return tensors only. Received: "text"');
  });
});
