import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import "../backend/index.js";
import { add } from "../ops/arithmetic.js";
import { jit } from "./jit.js";
import { abandon, detach, liveTensors, type Tensor, tensor, TensorScope } from "./tensor.js";
import { Variable } from "./variable.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

async function settled(): Promise<number> {
  for (let i = 0; i < 10; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return liveTensors();
}
/** How many more tensors live after `make` made, several times, some that nothing refers to any more. */
async function left(make: () => void): Promise<number> {
  const before = await settled();
  for (let i = 0; i < 20; i++) make();
  return (await settled()) - before;
}

it("tensors outside of scopes are freed once, however often they were left to the garbage collector", async () => {
  expect(
    await left(() => {
      const x = detach(tensor([1, 2, 3]));
      abandon(x);
      abandon(x);
    }),
  ).toBe(0);
});

it("a variable's former value that was read is freed once", async () => {
  const variable = new Variable(tensor([1, 2, 3]));
  const change = (): void => {
    void variable.value;
    variable.assign([4, 5, 6]);
  };
  change();
  expect(await left(change)).toBe(0);
});

it("a variable's former value that was read outlives the scope in which it was replaced, until nobody holds it", async () => {
  const variable = new Variable([1, 2, 3]);
  const increase = jit(() => void variable.assign(add(variable.value, 1)));
  increase();
  const before = await settled();
  let read: Tensor | null = variable.value;
  for (let i = 0; i < 3; i++) {
    using _ = new TensorScope();
    increase();
  }
  expect(await read.array()).toEqual([2, 3, 4]);
  expect(await variable.numpy().then((array) => array.toArray())).toEqual([5, 6, 7]);
  expect(liveTensors()).toBe(before + 1);
  read = null;
  expect(await settled()).toBe(before);
});
