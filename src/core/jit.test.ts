import { beforeEach, describe, expect, it } from "vitest";
import "../backend/index.js";
import "../ops/operators.js";
import { add, multiply } from "../ops/arithmetic.js";
import { sum } from "../ops/reductions.js";
import { valueAndGradients } from "./gradient.js";
import { functionalize, jit } from "./jit.js";
import { liveTensors, type Tensor, tensor, TensorScope } from "./tensor.js";
import { Variable } from "./variable.js";

let counter: Variable;
beforeEach(() => {
  counter = new Variable([0, 0], { dtype: "float32", trainable: false });
});

describe("jit", () => {
  it("gives what the function gives, and traces once for equal shapes", async () => {
    let traces = 0;
    const fn = jit((x: Tensor, factor: number) => {
      traces++;
      return { doubled: multiply(x, factor), total: sum(x) };
    });
    const first = fn(tensor([1, 2, 3.5]), 2);
    expect(await first.doubled.array()).toEqual([2, 4, 7]);
    expect(await fn(tensor([4, 5, 6.5]), 2).total.item()).toBe(15.5);
    expect(traces).toBe(1);
    fn(tensor([1.5]), 2);
    fn(tensor([1.5]), 3);
    expect(traces).toBe(3);
  });
  it("tells arguments apart by structure, shapes, dtypes and plain values", () => {
    let traces = 0;
    const fn = jit((x: unknown, ..._rest: unknown[]) => void (traces++, x));
    const [a, b, whole] = [tensor([1.5]), tensor([1.5, 2]), tensor([1])];
    const own = {};
    const twice: readonly unknown[][] = [
      [a],
      [b],
      [whole],
      [[a, b]],
      [[b, a]],
      [{ a, b }],
      [{ b, a }],
      [{ a, c: b }],
      [new Map([["a", a]])],
      [new Map([["a", b]])],
      [null],
      [undefined],
      [a, null],
      [1],
      ["1"],
      [NaN],
      [own],
      [fn],
    ];
    for (const args of [...twice, ...twice, ...[...twice].reverse()]) fn(...(args as [unknown]));
    expect(traces).toBe(twice.length);
  });
  it("gives tensors back in the structure of the result, whatever the order of calls", async () => {
    const fn = jit((x: Tensor, y: { readonly [key: string]: Tensor }) => ({
      z: [multiply(x, y["b"]!)],
      n: 7,
      a: y["a"]!,
    }));
    const [short, long] = [tensor([2, 3]), tensor([1, 2, 3])];
    for (let i = 0; i < 2; i++) {
      const first = fn(short, { b: short, a: long });
      expect(Object.keys(first)).toEqual(["z", "n", "a"]);
      expect([await first.z[0]!.array(), first.n, await first.a.array()]).toEqual([[4, 9], 7, [1, 2, 3]]);
      const second = fn(long, { b: long, a: short });
      expect([await second.z[0]!.array(), await second.a.array()]).toEqual([
        [1, 4, 9],
        [2, 3],
      ]);
    }
  });
  it("carries variables in and out", async () => {
    const step = jit((x: Tensor) => {
      counter.assign(add(counter.value, x));
      return counter.value;
    });
    step(tensor([1.5, 1]));
    const last = step(tensor([1.5, 2]));
    expect(await last.array()).toEqual([3, 3]);
    expect(await counter.value.array()).toEqual([3, 3]);
  });
  it("frees everything but results and state", () => {
    const step = jit((x: Tensor) => {
      counter.assign(multiply(add(counter.value, x), 0.5));
    });
    const run = (): void => {
      using _ = new TensorScope();
      step(tensor([1.5, 1]));
    };
    run();
    const before = liveTensors();
    for (let i = 0; i < 50; i++) run();
    expect(liveTensors()).toBe(before);
  });
  it("keeps a value that somebody read before it was replaced", async () => {
    const old = counter.value;
    jit(() => void counter.assign(add(counter.value, 1)))();
    expect(await old.array()).toEqual([0, 0]);
  });
  it("says that values cannot be read while compiling", () => {
    expect(() => jit((x: Tensor) => void x.handle)(tensor([1.5]))).toThrow("being compiled");
  });
  it("differentiates inside", async () => {
    const weight = new Variable([2, 3.5]);
    const step = jit((x: Tensor) => {
      const { value, gradients } = valueAndGradients(
        () => sum(multiply(multiply(weight.value, weight.value), x)),
        [weight.value],
      );
      weight.assign(weight.value.sub(gradients[0]!.mul(0.1)));
      return value;
    });
    expect(await step(tensor([1, 2])).item()).toBeCloseTo(28.5, 5);
    const updated = (await weight.value.array()) as number[];
    expect(updated[0]).toBeCloseTo(1.6, 5);
    expect(updated[1]).toBeCloseTo(2.1, 5);
  });
});

it("functionalize names the state that goes in and out", () => {
  const other = new Variable([1.5]);
  const pure = functionalize(() => void counter.assign(add(counter.value, sum(other.value))), []);
  expect(pure.stateInputs).toEqual([counter, other]);
  expect(pure.stateOutputs).toEqual([counter]);
  expect(pure.program.inputs.length).toBe(2);
  expect(pure.program.outputs.length).toBe(1);
});
