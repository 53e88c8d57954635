import { describe, expect, it } from "vitest";
import "../backend/index.js";
import { valueAndGradients } from "./gradient.js";
import { remat } from "./remat.js";
import { liveTensors, type Tensor, tensor, TensorScope } from "./tensor.js";
import { Variable } from "./variable.js";
import { add, multiply, sum } from "../primitives/index.js";

const total = (x: Tensor): Tensor =>
  sum(
    x,
    x.shape.map((_, i) => i),
  );

describe("remat", () => {
  it("gives the results and the gradients of the function, also for variables it reads", async () => {
    const w = new Variable(tensor([2, 3], "float32"), { name: "w" });
    const x = tensor([5, 7], "float32");
    const f = (t: Tensor): Tensor => multiply(multiply(t, w.value), t);
    const plain = valueAndGradients(() => total(f(x)), [x, w.stored]);
    const again = valueAndGradients(() => total(remat(f)(x)), [x, w.stored]);
    expect(await again.value.item()).toBe(await plain.value.item());
    for (const i of [0, 1]) expect(await again.gradients[i]!.array()).toEqual(await plain.gradients[i]!.array());
    expect(await again.gradients[1]!.array()).toEqual([25, 49]);
  });
  it("runs the function a second time from the state before, and assigns once", async () => {
    const count = new Variable(tensor(1, "float32"), { name: "count", trainable: false });
    const x = tensor([1, 2], "float32");
    let runs = 0;
    const f = remat((t: Tensor): Tensor => {
      runs++;
      const y = multiply(t, count.value);
      count.assign(add(count.value, tensor(1, "float32")));
      return y;
    });
    const { gradients } = valueAndGradients(() => total(f(x)), [x]);
    expect(runs).toBe(2);
    expect(await count.value.item()).toBe(2);
    expect(await gradients[0]!.array()).toEqual([1, 1]);
  });
  it("keeps no intermediate result", () => {
    using _ = new TensorScope();
    const x = tensor([1, 2], "float32");
    const f = remat((t: Tensor): Tensor => multiply(multiply(multiply(t, t), t), t));
    const before = liveTensors();
    f(x);
    expect(liveTensors() - before).toBe(1);
  });
});
