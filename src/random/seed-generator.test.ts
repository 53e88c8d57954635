import "../backend/index.js";
import { expect, it } from "vitest";
import { tensor } from "../core/tensor.js";
import { normal, SeedGenerator } from "./index.js";
import { globalSeedGenerator, setRandomSeed } from "./seed-generator.js";

// Values are those of Python Keras on JAX.
it("ordered steps count, unordered ones jump", async () => {
  const generator = new SeedGenerator(5);
  expect(await generator.next().array()).toEqual([5, 0]);
  expect(await generator.next({ ordered: false }).array()).toEqual([5, 1]);
  expect(await generator.state.value.array()).toEqual([32322, 10774]);
  expect(generator.state.dtype).toBe("uint32");
});
it("saves the seed it was given", () => {
  const unseeded = new SeedGenerator();
  expect(unseeded.getConfig()).toEqual({ seed: null, name: expect.stringMatching(/^seed_generator(_\d+)?$/) });
  expect(unseeded.state.path).toBe(`${unseeded.name}/seed_generator_state`);
  expect(SeedGenerator.fromConfig({ seed: 7, name: "mine" }).getConfig()).toEqual({ seed: 7, name: "mine" });
});
it("an integer repeats a draw, a generator moves on, a key is taken as it is", async () => {
  const draw = (seed: number | SeedGenerator): Promise<unknown> => normal([4], { seed }).array();
  const generator = new SeedGenerator(5);
  expect(await draw(5)).toEqual(await draw(5));
  expect(await draw(generator)).toEqual(await draw(5));
  expect(await draw(generator)).not.toEqual(await draw(5));
  expect(await normal([4], { seed: tensor(Uint32Array.of(5, 0)) }).array()).toEqual(await draw(5));
});
it("the global generator follows setRandomSeed", async () => {
  setRandomSeed(42);
  expect(await globalSeedGenerator().state.value.array()).toEqual([686579304, 0]);
  expect(await normal([2]).array()).toEqual([-1.4514600038528442, 0.14812569320201874]);
  expect(await normal([2], {}).array()).not.toEqual([-1.4514600038528442, 0.14812569320201874]);
});
it("refuses seeds that are no 32-bit words", () => {
  expect(() => new SeedGenerator(-3)).toThrow(/integer from 0/);
  expect(() => new SeedGenerator(1.5)).toThrow(/1\.5/);
  expect(() => normal([1], { seed: 2 ** 33 })).toThrow(/integer from 0/);
  expect(() => normal([1], { seed: tensor([1, 2, 3]) })).toThrow(/uint32 tensor \[2\]/);
});
