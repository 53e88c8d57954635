import "../backend/index.js";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Tensor } from "../core/tensor.js";
import { trace } from "../core/trace.js";
import { engine } from "../core/engine.js";
import type { NDArray } from "../core/ndarray.js";
import { standardNormal } from "./draws.js";
import {
  beta,
  binomial,
  categorical,
  dropout,
  gamma,
  normal,
  randint,
  SeedGenerator,
  shuffle,
  truncatedNormal,
  uniform,
} from "./index.js";

const many = [100_000];
const some = [20_000];
const counting = (n: number, from: number): Float32Array => Float32Array.from({ length: n }, (_, i) => i + from);
/** The beginning of the SHA-256 of a tensor's bytes. */
async function fingerprint(x: Tensor): Promise<string> {
  const { data } = (await x.data()).contiguous();
  return createHash("sha256")
    .update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    .digest("hex")
    .slice(0, 16);
}
const wide = { minval: -0.3, maxval: 0.7, seed: 11 };

// Recorded from Python Keras 3.15 on JAX 0.10.2 (CPU).
const recorded: readonly (readonly [name: string, draw: () => Tensor, hash: string])[] = [
  ["uniform", () => uniform(many, { seed: 1337 }), "e4a421f883951646"],
  ["uniform around 0", () => uniform(many, { minval: -0.0732, maxval: 0.0732, seed: 7 }), "c647aea1417b6718"],
  ["uniform from 3 to 8", () => uniform(many, { minval: 3, maxval: 8, seed: 8 }), "c239f5039f0dd256"],
  ["normal", () => normal(many, { seed: 1337 }), "b9f011339e2e2be5"],
  ["normal with moments", () => normal(many, { mean: 0.3, stddev: 0.05, seed: 1337 }), "8a6e03b2b1810b6d"],
  ["truncated normal", () => truncatedNormal(many, { seed: 5 }), "0cfc36d6838b6286"],
  ["narrow truncated normal", () => truncatedNormal(many, { stddev: 0.07, seed: 5 }), "b42286a140b2b543"],
  ["randint", () => randint(many, 0, 1000, { seed: 3 }), "85ed55e3d32a6db9"],
  ["randint from below 0", () => randint(many, -17, 1_000_000, { seed: 3 }), "e1cca1e79480d344"],
  ["randint, all of uint8", () => randint(many, 0, 256, { dtype: "uint8", seed: 3 }), "e45c6de22089a514"],
  ["randint of int8", () => randint(many, -128, 127, { dtype: "int8", seed: 3 }), "0373cc8bfa9e5dd8"],
  ["randint beyond uint16", () => randint(many, 0, 70_000, { dtype: "uint16", seed: 3 }), "600ce076ec22cfa7"],
  ["randint of int16", () => randint(many, -5, 700, { dtype: "int16", seed: 3 }), "9e9c9501a4937d95"],
  ["randint beyond int32", () => randint(many, 0, 4e9, { dtype: "uint32", seed: 3 }), "90465c0320984840"],
  ["randint, all of int32", () => randint(many, -(2 ** 31), 2 ** 31 - 1, { seed: 3 }), "4f75bd44474d4764"],
  ["shuffle", () => shuffle(counting(20_000, 0), { seed: 4 }), "51193ade955ac246"],
  ["dropout", () => dropout(counting(100_000, 1), 0.3, { seed: 4 }), "d01adc1ad25f9fab"],
  ["float16 uniform", () => uniform(many, { dtype: "float16", seed: 11 }), "417fb306eb8c7b07"],
  ["float16 normal", () => normal(many, { dtype: "float16", seed: 11 }), "4394154e4e87d496"],
  ["float16 truncated normal", () => truncatedNormal(many, { dtype: "float16", seed: 11 }), "d4dd3205d3e0f8d6"],
  ["bfloat16 uniform", () => uniform(many, { dtype: "bfloat16", seed: 11 }), "db8603c7569e363e"],
  ["bfloat16 normal", () => normal(many, { dtype: "bfloat16", seed: 11 }), "8eb95ee8107addf0"],
  ["bfloat16 truncated normal", () => truncatedNormal(many, { dtype: "bfloat16", seed: 11 }), "4280c683f2f14486"],
  ["float16 uniform around 0", () => uniform(many, { ...wide, dtype: "float16" }), "e63cf9b2958100eb"],
  ["bfloat16 uniform around 0", () => uniform(many, { ...wide, dtype: "bfloat16" }), "56676aa186efeed7"],
  ["binomial of few successes", () => binomial(some, 20, 0.3, { seed: 12 }), "ae02ca9f8922a408"],
  ["binomial of many successes", () => binomial(some, 200, 0.3, { seed: 12 }), "ee72887e9e0b7822"],
  ["binomial of few failures", () => binomial(some, 200, 0.8, { seed: 12 }), "b7816bbb30086bc8"],
  ["float16 binomial", () => binomial(some, 20, 0.3, { dtype: "float16", seed: 12 }), "8bbad997f55bf811"],
  ["float16 gamma", () => gamma(some, 2.5, { dtype: "float16", seed: 12 }), "d6d129e70cc6a6b9"],
  ["bfloat16 gamma", () => gamma(some, 2.5, { dtype: "bfloat16", seed: 12 }), "c396e01cbe93a1d2"],
  ["float16 beta", () => beta(some, 2.5, 1.5, { dtype: "float16", seed: 12 }), "aef326b20d2628cf"],
  ["bfloat16 beta", () => beta(some, 2.5, 1.5, { dtype: "bfloat16", seed: 12 }), "78b8834dd699ece8"],
];
describe("large samples have the bits of Python Keras on JAX", () => {
  it.each(recorded)("%s", async (_, draw, hash) => {
    expect(await fingerprint(draw())).toBe(hash);
  });
});

describe("draws agree with JAX to a few roundings", () => {
  const close = async (x: Tensor, expected: readonly number[]): Promise<void> => {
    const values = (await x.data()).numbers();
    expected.forEach((value, i) => expect(Math.abs(values[i]! - value)).toBeLessThan(4e-6 * Math.abs(value)));
  };
  it("gamma", async () => {
    await close(gamma(some, 2.5, { seed: 12 }), [1.59268009662628, 0.5548980832099915, 2.175602436065674]);
    await close(gamma(some, 0.3, { seed: 12 }), [0.1411808580160141, 0.007205840200185776, 0.5686042904853821]);
  });
  it("beta", async () => {
    await close(beta(some, 0.2, 0.3, { seed: 12 }), [0.679836630821228, 0.9896185994148254, 0.9151720404624939]);
  });
  it("categorical", async () => {
    const logits = [[0.1, 0.2, 0.7].map(Math.log), [0.4, 0.3, 0.3].map(Math.log)];
    const drawn = await categorical(logits, 20_000, { seed: 9 }).data();
    const share = (row: number, k: number): number =>
      [...drawn.numbers()].slice(row * 20_000, (row + 1) * 20_000).filter((c) => c === k).length / 20_000;
    expect([...drawn.numbers()].slice(0, 4)).toEqual([2, 2, 2, 1]);
    [0.1, 0.2, 0.7].forEach((p, k) => expect(share(0, k)).toBeCloseTo(p, 1.5));
  });
});

it("compiled 16-bit draws equal eager ones", async () => {
  const state = new SeedGenerator(12).next();
  for (const dtype of ["float16", "bfloat16"] as const) {
    const draw = (k: Tensor): Tensor => standardNormal(k, [64], dtype);
    const program = trace((k) => [draw(k)], [{ shape: [2], dtype: "uint32" }]);
    const executable = engine().compile(program);
    const [compiled] = executable.run([state.handle]);
    expect(((await engine().toHost(compiled!)) as NDArray).toArray()).toEqual(await draw(state).array());
    executable.dispose();
  }
});

describe("edges", () => {
  it("binomial gives NaN for what is no count or probability, and everything for certain success", async () => {
    const drawn = await binomial([5], [NaN, -1, 10, 10, 10], [0.5, 0.5, -0.1, 1, 0], { seed: 1 }).array();
    expect(drawn).toEqual([NaN, NaN, NaN, 10, 0]);
  });
  it("an empty range of integers gives its lower bound", async () => {
    expect(await randint([3], 5, 5, { seed: 1 }).array()).toEqual([5, 5, 5]);
  });
  it("randint refuses floats, and others refuse integers", () => {
    expect(() => randint([2], 0, 3, { dtype: "float32" })).toThrow(/integers/);
    expect(() => gamma([2], 1, { dtype: "int32" })).toThrow(/float/);
  });
});
