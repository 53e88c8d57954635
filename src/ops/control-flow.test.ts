import { describe, expect, it } from "vitest";
import "../backend/index.js";
import { valueAndGradients } from "../core/gradient.js";
import { jit } from "../core/jit.js";
import { KerasTensor } from "../core/keras-tensor.js";
import { liveTensors, tensor, type Tensor, TensorScope } from "../core/tensor.js";
import { Variable } from "../core/variable.js";
import { add, divide, multiply, subtract } from "./arithmetic.js";
import { cond, switch as switchCase } from "./branches.js";
import { customGradient } from "./custom-gradient.js";
import { expectGradients, sample } from "./differences.testing.js";
import { exp, log } from "./elementwise.js";
import { less } from "./logic.js";
import { foriLoop, whileLoop } from "./loops-of-trees.js";
import { sum } from "./reductions.js";
import { associativeScan, map, scan, vectorizedMap } from "./scans.js";

const float = (value: number | number[] | number[][]): Tensor => tensor(value, "float32");

describe("cond", () => {
  it("calls one branch in eager code, and keeps both in compiled code", async () => {
    const called: string[] = [];
    const choose = (p: Tensor, x: Tensor): Tensor =>
      cond(
        p,
        () => (called.push("yes"), multiply(x, 2)),
        () => (called.push("no"), add(x, 1)),
      );
    expect(await choose(tensor(true), float(3)).item()).toBe(6);
    expect(called).toEqual(["yes"]);
    const compiled = jit(choose);
    expect(await compiled(tensor(false), float(3)).item()).toBe(4);
    expect(await compiled(tensor(true), float(3)).item()).toBe(6);
    expect(called).toEqual(["yes", "yes", "no"]);
  });
  it("assigns variables in compiled code where its branch is taken", async () => {
    const count = new Variable(float(0));
    const step = jit((p: Tensor) =>
      cond(
        p,
        () => void count.assign(add(count.value, 1)),
        () => undefined,
      ),
    );
    for (const p of [true, false, true]) step(tensor(p));
    expect(Number((await count.numpy()).numbers()[0])).toBe(2);
  });
  it("needs branches that agree", () => {
    const compiled = jit((p: Tensor) =>
      cond<unknown>(
        p,
        () => float([1, 2]),
        () => float([1, 2, 3]),
      ),
    );
    expect(() => compiled(tensor(true))).toThrow("They must agree");
    expect(() =>
      cond<unknown>(
        new KerasTensor([], "bool"),
        () => float(1),
        () => tensor(1),
      ),
    ).toThrow("They must agree");
    expect(() =>
      cond(
        tensor([true]),
        () => 1,
        () => 2,
      ),
    ).toThrow("scalar");
  });
  it("has a gradient in compiled code", async () => {
    const gradient = jit(
      (p: Tensor, x: Tensor) =>
        valueAndGradients(
          () =>
            cond(
              p,
              () => sum(multiply(x, x)),
              () => sum(x),
            ),
          [x],
        ).gradients[0]!,
    );
    expect(await gradient(tensor(true), float([2, 3])).array()).toEqual([4, 6]);
    expect(await gradient(tensor(false), float([2, 3])).array()).toEqual([1, 1]);
  });
});

describe("switch", () => {
  const branches = [(x: Tensor) => x, (x: Tensor) => multiply(x, 2), (x: Tensor) => multiply(x, 3)];
  it.each([
    [-5, 7],
    [1, 14],
    [9, 21],
  ])("takes the branch nearest to %i", async (index, expected) => {
    expect(await switchCase(index, branches, float(7)).item()).toBe(expected);
    expect(await jit((i: Tensor) => switchCase(i, branches, float(7)))(tensor(index)).item()).toBe(expected);
  });
});

describe("loops", () => {
  it("carry trees of tensors", async () => {
    const [i, state] = whileLoop(
      (i: Tensor) => less(i, 4),
      (i: Tensor, { total }: { total: Tensor }) => [add(i, 1), { total: add(total, i) }] as [Tensor, { total: Tensor }],
      [tensor(0), { total: float(0.5) }] as [Tensor, { total: Tensor }],
    );
    expect([await i.item(), await state.total.item()]).toEqual([4, 6.5]);
  });
  it("stop after the most iterations", async () => {
    const x = whileLoop(
      (x: Tensor) => less(x, 100),
      (x: Tensor) => add(x, 1),
      float(0),
      { maximumIterations: 3 },
    );
    expect(await x.item()).toBe(3);
  });
  it("say when a body changes what it carries", () => {
    expect(() =>
      whileLoop(
        (x: Tensor) => less(sum(x), 1),
        (x: Tensor) => sum(x),
        float([1, 2]),
      ),
    ).toThrow("They must agree");
  });
  it("count between numbers and between tensors", async () => {
    const body = (i: Tensor, x: Tensor): Tensor => add(x, i);
    expect(await foriLoop(2, 5, body, float(1)).item()).toBe(10);
    expect(await foriLoop(tensor(2), tensor(5), body, float(1)).item()).toBe(10);
    expect(await foriLoop(5, 2, body, float(1)).item()).toBe(1);
  });
  it("have gradients where their length is known", async () =>
    expectGradients((x) => foriLoop(0, 3, (i, v: Tensor) => add(multiply(v, x), i), x), [sample([2])]));
});

describe("scan", () => {
  const recurrence = (x: Tensor, k: Tensor): [Tensor, Tensor] =>
    scan(
      (carry: Tensor, row: Tensor) => {
        const next = add(multiply(carry, k), row);
        return [next, multiply(next, next)] as const;
      },
      float([0, 0]),
      { xs: x },
    );
  it("has gradients of two orders", async () => expectGradients(recurrence, [sample([4, 2]), sample([2], 2)]));
  it("has gradients where scans lie in scans", async () => {
    const nested = (x: Tensor): Tensor =>
      scan(
        (carry: Tensor, row: Tensor) => {
          const [inner] = scan((d: Tensor, v: Tensor) => [add(multiply(d, v), v), null] as const, carry, { xs: row });
          return [inner, inner] as const;
        },
        float(0.5),
        { xs: x },
      )[1];
    await expectGradients(nested, [sample([3, 4])]);
  });
  it("goes backwards, without sequences, and over trees", async () => {
    const sums = (reverse: boolean): Promise<unknown> =>
      scan((c: Tensor, { x }: { x: Tensor }) => [add(c, x), [add(c, x)]] as const, 0 as unknown as Tensor, {
        xs: { x: float([1, 2, 4]) },
        reverse,
      })[1][0]!.array();
    expect(await sums(false)).toEqual([1, 3, 7]);
    expect(await sums(true)).toEqual([7, 6, 4]);
    const [last, none] = scan((c: Tensor) => [add(c, c), null] as const, float(1), { length: 5 });
    expect([await last.item(), none]).toEqual([32, null]);
  });
  it("checks what it is given", () => {
    const f = (c: Tensor) => [c, null] as const;
    expect(() => scan(f, float(1))).toThrow("`xs` or `length`");
    expect(() => scan(f, float(1), { xs: float([1, 2]), length: 3 })).toThrow("must agree");
    expect(() => scan(f, float(1), { length: 3, unroll: 0 })).toThrow("unroll");
  });
  it("leaves no tensors behind", () => {
    const inputs = [sample([4, 2]), sample([2], 2)] as const;
    const before = liveTensors();
    {
      using _ = new TensorScope();
      recurrence(...inputs);
      cond(
        tensor(true),
        () => add(inputs[1], 1),
        () => inputs[1],
      );
    }
    expect(liveTensors()).toBe(before);
  });
});

describe("maps over a leading axis", () => {
  it("apply a function to slices of trees", async () => {
    const stack = {
      a: float([
        [1, 2],
        [3, 4],
      ]),
      b: float([10, 20]),
    };
    const f = ({ a, b }: typeof stack): Tensor => multiply(sum(a), b);
    expect(await map(f, stack).array()).toEqual([30, 140]);
    expect(await vectorizedMap(f, stack).array()).toEqual([30, 140]);
  });
  it("keep unknown sizes", () => {
    const symbolic = map((x: Tensor) => sum(x), new KerasTensor([null, 3]) as unknown as Tensor);
    expect(symbolic.shape).toEqual([null]);
  });
  it("combine prefixes of associative operations, in order", async () => {
    const digits = associativeScan(
      ({ value, scale }: { value: Tensor; scale: Tensor }, b: { value: Tensor; scale: Tensor }) => ({
        value: add(multiply(value, b.scale), b.value),
        scale: multiply(scale, b.scale),
      }),
      { value: float([1, 2, 3, 4, 5]), scale: float([10, 10, 10, 10, 10]) },
    );
    expect(await digits.value.array()).toEqual([1, 12, 123, 1234, 12345]);
    expect(
      await associativeScan(
        add,
        float([
          [1, 2],
          [3, 4],
        ]),
        { axis: 1, reverse: true },
      ).array(),
    ).toEqual([
      [3, 2],
      [7, 4],
    ]);
  });
});

describe("customGradient", () => {
  const softplus = customGradient((x: Tensor) => {
    const e = exp(x);
    return [log(add(e, 1)), (upstream: Tensor) => multiply(upstream, subtract(1, divide(1, add(e, 1))))] as const;
  });
  it("replaces the derived gradient, and is differentiated itself", async () =>
    expectGradients(softplus, [sample([3])]));
  it("takes part in eager and in compiled code", async () => {
    const gradient = (x: Tensor): Tensor => valueAndGradients(() => sum(softplus(x)), [x]).gradients[0]!;
    expect(await gradient(float([100])).array()).toEqual([1]);
    expect(await jit(gradient)(float([100])).array()).toEqual([1]);
    expect(softplus(new KerasTensor([null, 2]) as unknown as Tensor).shape).toEqual([null, 2]);
  });
  it("gives each argument its gradient, and none for null", async () => {
    const scaled = customGradient((x: Tensor, factor: number, y: Tensor) => [
      add(multiply(x, factor), y),
      (upstream: Tensor) => [multiply(upstream, 100), null, null],
    ]);
    const [x, y] = [float([1, 2]), float([3, 4])];
    const { gradients } = valueAndGradients(() => sum(scaled(x, 2, y)), [x, y]);
    expect([await gradients[0]!.array(), await gradients[1]!.array()]).toEqual([
      [100, 100],
      [0, 0],
    ]);
  });
});
