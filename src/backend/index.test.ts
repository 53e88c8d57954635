import { expect, it } from "vitest";
import { tensor } from "../core/tensor.js";
import { add, sum } from "../primitives/index.js";
import { backend, setBackend } from "./index.js";

it("binds an engine that computes", async () => {
  expect(backend()).toBe(process.env["KERAS_BACKEND"] ?? "numpy");
  const x = tensor(
    [
      [1, 2],
      [3, 4],
    ],
    "float32",
  );
  expect(await sum(add(x, x), [0]).array()).toEqual([8, 12]);
});

it("stays with the engine it has, and names the others when asked for an unknown one", async () => {
  await setBackend(backend());
  await expect(setBackend("theano")).rejects.toThrow(/Expected one of: numpy/);
});
