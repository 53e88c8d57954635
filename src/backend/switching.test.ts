import { expect, it } from "vitest";
import numpy from "./numpy/index.js";
import { loadOffered, offerEngines } from "./switching.js";

it("refuses to change the engine of a program that was made for one, and asks what offers engines otherwise", async () => {
  expect(() => loadOffered("jax", "numpy", "setBackend")).toThrow(/condition "keras-numpy".*use "keras-jax"/);
  offerEngines((name, from) => Promise.resolve({ ...numpy, name: `${name} from ${from}` }));
  expect((await loadOffered("jax", "numpy", "setBackend")).name).toBe("jax from setBackend");
});
