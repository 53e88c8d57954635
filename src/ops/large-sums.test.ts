import { expect, it } from "vitest";
import "../backend/index.js";
import { jit } from "../core/jit.js";
import { NDArray } from "../core/ndarray.js";
import { fromHost, type Tensor, TensorScope } from "../core/tensor.js";
import * as ops from "./index.js";

const count = 10_000_000;
const tenth = Math.fround(0.1);

/** The largest relative error of `y`, all of whose elements should be `expected`. */
async function error(y: Tensor, expected: number): Promise<number> {
  return Math.max(...(await y.data()).numbers().map((v) => Math.abs(v / expected - 1)));
}

it("sums of ten million tenths are right to 1e-6, whatever is summed over, eager and compiled", async () => {
  using _ = new TensorScope();
  const x = fromHost(new NDArray(new Float32Array(count).fill(tenth), [count], "float32"));
  const cases: [(x: Tensor) => Tensor, number][] = [
    [(v) => ops.sum(v), count * tenth],
    [(v) => ops.sum(ops.reshape(v, [count / 5, 5]), { axis: 0 }), (count / 5) * tenth],
    [(v) => ops.sum(ops.reshape(v, [5, count / 5]), { axis: 1 }), (count / 5) * tenth],
    [(v) => ops.sum(ops.reshape(v, [2, count / 10, 5]), { axis: [0, 1] }), (count / 5) * tenth],
    [(v) => ops.mean(v), tenth],
    [(v) => ops.sum(ops.multiply(v, 2)), 2 * count * tenth],
  ];
  for (const [fn, expected] of cases) {
    const compiled = jit(fn);
    expect(await error(fn(x), expected)).toBeLessThan(1e-6);
    expect(await error(compiled(x), expected)).toBeLessThan(1e-6);
    compiled.dispose();
  }
});
