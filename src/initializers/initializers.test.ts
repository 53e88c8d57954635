import "../backend/index.js";
import { describe, expect, it } from "vitest";
import { NDArray } from "../core/ndarray.js";
import type { Tensor } from "../core/tensor.js";
import { matmul } from "../ops/matmul.js";
import { transpose } from "../ops/shape.js";
import { SeedGenerator } from "../random/index.js";
import { setRandomSeed } from "../random/seed-generator.js";
import * as initializers from "./index.js";
import { windowNamed } from "./windows.js";

const { Constant, GlorotUniform, HeNormal, Identity, Orthogonal, STFT } = initializers;
const first = async (x: Tensor, count: number): Promise<number[]> => [...(await x.data()).numbers()].slice(0, count);

describe("seeds", () => {
  it("unseeded initializers draw Python's seeds after setRandomSeed", async () => {
    setRandomSeed(42);
    expect(await first(new GlorotUniform()([5, 4]), 2)).toEqual([-0.6967559456825256, 0.09614767134189606]);
    expect(await first(new HeNormal()([3]), 2)).toEqual([-1.1379362344741821, 0.16397424042224884]);
  });
  it("an unseeded initializer repeats itself and saves no seed", async () => {
    const initializer = new GlorotUniform();
    expect(await initializer([4]).array()).toEqual(await initializer([4]).array());
    expect(initializer.getConfig()).toMatchObject({ seed: null });
  });
  it("a generator given as config moves on", async () => {
    const seed = initializers.serialize(new SeedGenerator(5) as never);
    const initializer = initializers.get({ class_name: "GlorotUniform", config: { seed } });
    expect(await initializer([4]).array()).not.toEqual(await initializer([4]).array());
    expect(await new GlorotUniform({ seed: 5 })([4]).array()).toEqual(
      await initializers.get({ class_name: "GlorotUniform", config: { seed } })([4]).array(),
    );
  });
});

describe("Orthogonal", () => {
  it("has the signs of Python Keras on JAX", async () => {
    const values = await first(new Orthogonal({ seed: 1 })([2, 3]), 6);
    const expected = [-0.77347243, 0.60825205, 0.17824113, -0.31428862, -0.12384743, -0.94121444];
    expected.forEach((value, i) => expect(values[i]).toBeCloseTo(value, 5));
  });
  it.each([
    { shape: [6, 4], gain: 1 },
    { shape: [2, 3, 12], gain: 2 },
  ])("has orthonormal vectors, %o", async ({ shape, gain }) => {
    const weights = await new Orthogonal({ seed: 3, gain })(shape).data();
    const rows = shape.slice(0, -1).reduce((n, d) => n * d, 1);
    const matrix = weights.reshape([rows, shape.at(-1)!]);
    const wide = rows < shape.at(-1)!;
    const products = await (wide ? matmul(matrix, transpose(matrix)) : matmul(transpose(matrix), matrix)).data();
    const n = products.shape[0]!;
    products.numbers().forEach((value, i) => expect(value).toBeCloseTo(i % (n + 1) === 0 ? gain * gain : 0, 5));
  });
  it("needs a matrix", () => {
    expect(() => new Orthogonal()([3])).toThrow(/rank 2/);
  });
});

it("Identity fills a rectangle and does not save its gain", async () => {
  const initializer = new Identity({ gain: 2 });
  expect(await initializer([2, 3]).array()).toEqual([
    [2, 0, 0],
    [0, 2, 0],
  ]);
  expect(initializer.getConfig()).toEqual({});
});

describe("Constant", () => {
  it("spreads an array, and saves and reads it", async () => {
    const initializer = new Constant(NDArray.from([1, 2.5], "float32"));
    const saved = initializer.getConfig();
    expect(JSON.parse(JSON.stringify(saved))).toEqual({
      value: { class_name: "__numpy__", config: { value: [1, 2.5], dtype: "float32" } },
    });
    const read = initializers.get({ class_name: "Constant", config: saved });
    expect(await read([2, 2]).array()).toEqual([
      [1, 2.5],
      [1, 2.5],
    ]);
  });
});

describe("STFT", () => {
  it("gives a cosine under a normalized window", async () => {
    const [frame, frequencies] = [8, 5];
    const kernel = await new STFT({ periodic: true, scaling: "spectrum" })([frame, 1, frequencies]).data();
    const window = windowNamed("hann", frame, true);
    const total = window.reduce((sum, w) => sum + w, 0);
    kernel.numbers().forEach((value, i) => {
      const [t, f] = [Math.floor(i / frequencies), i % frequencies];
      expect(value).toBeCloseTo((Math.cos((2 * Math.PI * t * f) / 8) * window[t]!) / total, 5);
    });
  });
  it("knows SciPy's windows by name and lists them otherwise", () => {
    // scipy.signal.get_window(name, 5, False)
    const expected = {
      blackman: [0, 0.34, 1, 0.34, 0],
      parzen: [0.016, 0.424, 1, 0.424, 0.016],
      triang: [1 / 3, 2 / 3, 1, 2 / 3, 1 / 3],
    };
    for (const [name, values] of Object.entries(expected))
      windowNamed(name, 5, false).forEach((value, i) => expect(value).toBeCloseTo(values[i]!, 6));
    expect(() => new STFT({ window: "round" })).toThrow(/no window function "round".*hann/);
    expect(() => new STFT({ window: [1, 1] })([3, 1, 2])).toThrow(/must hold 3 values/);
  });
});

it("every name and alias gives its initializer", () => {
  const aliases = {
    identity: "Identity",
    IdentityInitializer: "Identity",
    orthogonal: "Orthogonal",
    OrthogonalInitializer: "Orthogonal",
    stft: "STFT",
    STFTInitializer: "STFT",
    normal: "RandomNormal",
    uniform: "RandomUniform",
    one: "Ones",
    zero: "Zeros",
    lecun_normal: "LecunNormal",
    variance_scaling: "VarianceScaling",
  } as const;
  for (const [alias, name] of Object.entries(aliases))
    expect(initializers.get(alias as "zero")).toBeInstanceOf(initializers[name]);
});
