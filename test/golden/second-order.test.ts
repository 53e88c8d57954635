import { describe, expect, it } from "vitest";
import "../../src/backend/index.js";
import { vectorJacobianProduct } from "../../src/core/gradient.js";
import { NDArray } from "../../src/core/ndarray.js";
import { full } from "../../src/primitives/index.js";
import { fromHost, Tensor, tensor, TensorScope } from "../../src/core/tensor.js";
import { flatten, packSequenceAs } from "../../src/tree/index.js";
import { type Arrays, type GoldenCase, readCases } from "./cases.js";
import { decodeCall } from "./kinds/kind.js";
import { bindArguments } from "./python-call.js";
import { findTarget } from "./targets.js";

/** Targets whose second derivative cannot be checked by differences, and why. */
const exempt: Readonly<Record<string, string>> = {
  "keras.ops.gammainc": "its derivative in the first argument comes from a series that is not differentiated again",
  "keras.ops.nanstd": "the recorded case has a slice of one number, where a root has no derivative",
  "keras.ops.image.elastic_transform": "bilinear sampling has a kink at every pixel that a difference steps over",
  "keras.ops.image.perspective_transform": "bilinear sampling has a kink at every pixel that a difference steps over",
};

const folder = new URL("../data/goldens", import.meta.url).pathname;
const wave = (size: number, phase: number): Float64Array =>
  Float64Array.from({ length: size }, (_, i) => Math.sin(1.7 * i + phase) * 0.6 + 0.2);
const inner = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
const weighted = (size: number, shape: readonly number[], phase: number): Tensor =>
  tensor(new NDArray(Float32Array.from(wave(size, phase)), shape, "float32"));

type Gradients = (xs: readonly Tensor[]) => readonly Tensor[];

/** First gradients of a recorded call in its float inputs, as a function of those. */
async function gradientsOf(golden: GoldenCase, arrays: Arrays): Promise<{ inputs: NDArray[]; gradients: Gradients }> {
  const fn = findTarget(golden.target)!;
  const { args, kwargs } = await decodeCall(golden, arrays);
  const structure = [args, kwargs];
  const flat: unknown[] = flatten<unknown>(structure);
  const leaves = golden.grads!.map(({ leaf }) => leaf);
  const inputs = await Promise.all(
    leaves.map(async (leaf) => (flat[leaf] instanceof Tensor ? await flat[leaf].data() : (flat[leaf] as NDArray))),
  );
  const gradients: Gradients = (xs) => {
    const now = [...flat];
    leaves.forEach((leaf, i) => (now[leaf] = xs[i]));
    const [a, k] = packSequenceAs(structure, now) as unknown as [unknown[], Record<string, unknown>];
    const outputs = (): Tensor[] =>
      flatten<unknown>(fn(...bindArguments(golden.target, a, k))).filter(
        (y): y is Tensor => y instanceof Tensor && y.dtype === "float32",
      );
    const found = vectorJacobianProduct(outputs, xs, (ys) => ys.map((y, i) => weighted(y.size, y.shape, i))).gradients;
    return found.map((g, i) => g ?? full(xs[i]!.shape, 0, "float32"));
  };
  return { inputs, gradients };
}

/** How far the gradient of the gradients is from their difference quotient; NaN where neither is a number. */
async function distance(golden: GoldenCase, arrays: Arrays, phase: number, scale: number): Promise<number> {
  using _ = new TensorScope();
  const { inputs, gradients } = await gradientsOf(golden, arrays);
  const values = inputs.map((x, i) =>
    x.numbers().map((v, k) => scale * (Number.isFinite(v) ? v : 0) + 0.05 * wave(x.size, 11 * i + phase)[k]!),
  );
  const at = (shift: number): Tensor[] =>
    values.map((v, i) =>
      fromHost(
        new NDArray(
          Float32Array.from(v, (x, k) => x + shift * wave(v.length, i + phase)[k]!),
          inputs[i]!.shape,
          "float32",
        ),
      ),
    );
  const scalar = async (shift: number): Promise<number> => {
    const found = await Promise.all(
      gradients(at(shift)).map(async (g, i) => inner((await g.data()).numbers(), wave(g.size, 5 + i))),
    );
    return found.reduce((a, b) => a + b, 0);
  };
  const xs = at(0);
  const second = vectorJacobianProduct(
    () => gradients(xs),
    xs,
    (gs) => gs.map((g, i) => weighted(g.size, g.shape, 5 + i)),
  ).gradients;
  const parts = await Promise.all(
    second.map(async (g, i) => (g ? inner((await g.data()).numbers(), wave(g.size, i + phase)) : 0)),
  );
  const exact = parts.reduce((a, b) => a + b, 0);
  const h = 4e-3;
  const numeric =
    (8 * ((await scalar(h)) - (await scalar(-h))) - ((await scalar(2 * h)) - (await scalar(-2 * h)))) / (12 * h);
  return Math.abs(exact - numeric) / Math.max(1, Math.abs(numeric));
}

describe("second derivatives of ops equal difference quotients", () => {
  const { cases, arrays } = readCases(folder, "op");
  const small = cases.filter(({ grads, args }) => grads && JSON.stringify(args).length < 4000);
  for (const target of [...new Set(small.map((c) => c.target))].sort()) {
    if (target in exempt) continue;
    it(target, async () => {
      const tried: string[] = [];
      // One point off a kink is enough: a few cases, moved a little each.
      for (const golden of small.filter((c) => c.target === target).slice(0, 4)) {
        for (const [phase, scale] of [
          [0.3, 1],
          [2.1, 1],
          [0.7, 0.4],
        ] as const) {
          const found = await distance(golden, arrays, phase, scale);
          if (found < 2e-2) return;
          tried.push(`${golden.id}: ${found}`);
        }
      }
      expect.fail(`no case agrees: ${tried.join(", ")}`);
    });
  }
});
