import { describe, expect } from "vitest";
import type { TensorSpec } from "../../src/core/dtype.js";
import type { Tensor } from "../../src/core/tensor.js";
import { trace } from "../../src/core/trace.js";
import type { ScanAttributes } from "../../src/primitives/index.js";
import * as p from "../../src/primitives/index.js";
import { itRequires } from "../support/require.js";
import { compares, some, torch } from "./torch-compare.js";

const f32 = (...shape: number[]): TensorSpec => ({ shape, dtype: "float32" });
type Step = (...inputs: Tensor[]) => readonly Tensor[];
/** Attributes of a loop of 5 steps. */
const scanOf = (step: Step, specs: readonly TensorSpec[], rest: Partial<ScanAttributes> = {}): ScanAttributes => ({
  body: trace(step, specs),
  carries: 1,
  sequences: 1,
  length: 5,
  reverse: false,
  keepCarries: false,
  ...rest,
});
const step: Step = (h, x, w) => {
  const product = p.dot(h!, w!, { contract: [[1], [0]], batch: [[], []] });
  const next = p.tanh(p.add(product, x!));
  return [next, p.multiply(next, p.full([2, 3], 0.5, "float32")), p.greater(next, p.full([], 0, "float32"))];
};
const specs = [f32(2, 3), f32(2, 3), f32(3, 3)];
const arrays = () => [some("float32", [2, 3]), some("float32", [5, 2, 3]), some("float32", [3, 3])];

describe("scan", () => {
  for (const reverse of [false, true])
    for (const keepCarries of [false, true])
      compares(`runs its body along the leading axis, reverse ${reverse}, keepCarries ${keepCarries}`, (same) =>
        same("scan", arrays(), scanOf(step, specs, { reverse, keepCarries }), { within: 1e-5 }),
      );
  compares("makes no step along an axis without elements", (same) =>
    same("scan", [some("float32", [2, 3]), some("float32", [0, 2, 3]), some("float32", [3, 3])], {
      ...scanOf(step, specs, { keepCarries: true }),
      length: 0,
    }),
  );
  compares("hands carries and captured values on as they are", (same) =>
    same(
      "scan",
      arrays(),
      scanOf((h, x, w) => [h!, h!, w!, x!], specs),
      {},
    ),
  );
  compares("runs within another scan", (same) => {
    const inner: Step = (h, row) => [p.add(h!, row!), p.multiply(h!, row!)];
    const outer: Step = (h, x) => {
      const attributes = scanOf(inner, [f32(3), f32(3)], { length: 2, reverse: true });
      const [next, products] = p.scan([h!, x!], attributes);
      return [next!, products!];
    };
    same("scan", [some("float32", [3]), some("float32", [5, 2, 3])], scanOf(outer, [f32(3), f32(2, 3)]));
  });
  compares("leaves what libtorch cannot do in its body to the built-in engine", (same) =>
    same("scan", [some("float8_e4m3fn", [2]), some("float8_e4m3fn", [5, 2])], {
      ...scanOf(
        (h, x) => [x!, p.cast(h!, "float32")],
        [
          { shape: [2], dtype: "float8_e4m3fn" },
          { shape: [2], dtype: "float8_e4m3fn" },
        ],
      ),
    }),
  );
  itRequires("libtorch", "is one native call in a Program", async () => {
    await torch();
    const { prepare } = await import("../../src/backend/torch/passes/index.js");
    const { isNative } = await import("../../src/backend/torch/record.js");
    const attributes = scanOf(step, specs);
    const program = prepare(trace((h, x, w) => p.scan([h!, x!, w!], attributes), [f32(2, 3), f32(5, 2, 3), f32(3, 3)]));
    expect(program.instructions.map(({ op }) => op)).toEqual(["scan"]);
    expect(isNative(program, program.instructions[0]!)).toBe(true);
  });
});
