import { describe, expect } from "vitest";
import { randomProgram } from "../../src/backend/numpy/compiler/random-program.js";
import { difference } from "../../src/backend/numpy/compiler/testing.js";
import numpy from "../../src/backend/numpy/index.js";
import type { Value } from "../../src/backend/torch/value.js";
import type { NDArray } from "../../src/core/ndarray.js";
import type { Program } from "../../src/core/program.js";
import type { Tensor } from "../../src/core/tensor.js";
import { trace } from "../../src/core/trace.js";
import * as p from "../../src/primitives/index.js";
import { itRequires } from "../support/require.js";
import { some, torch } from "./torch-compare.js";

const specsOf = (arrays: readonly NDArray[]) => arrays.map(({ shape, dtype }) => ({ shape, dtype }));

/** The largest difference between a Program on the torch engine, all inputs spent, and on the built-in one. */
async function worst(program: Program, arrays: readonly NDArray[]): Promise<number> {
  const { engine, live } = await torch();
  const wanted = numpy.compile(program).run(arrays.map((x) => numpy.fromHost(x))) as unknown[];
  const before = live();
  const executable = engine.compile(program);
  const inputs = arrays.map((x) => engine.fromHost(x) as Value);
  const results = executable.run(
    inputs,
    inputs.map((_, i) => i),
  ) as Value[];
  const differences = results.map((x, i) => difference(x.toHost(), numpy.toHost(wanted[i]) as NDArray));
  for (const x of [...inputs, ...results]) x.release();
  executable.dispose();
  expect(live()).toBe(before);
  return Math.max(...differences);
}
const fused = (name: string, arrays: () => NDArray[], fn: (...x: Tensor[]) => Tensor | Tensor[], within = 1e-5): void =>
  itRequires("libtorch", name, async () => {
    const given = arrays();
    const program = trace((...x: Tensor[]) => [fn(...x)].flat(), specsOf(given));
    expect(await worst(program, given)).toBeLessThanOrEqual(within);
  });

describe("fused programs", () => {
  for (let part = 0; part < 4; part++)
    itRequires("libtorch", `give what the built-in engine gives, random programs of part ${part}`, async () => {
      for (let seed = part * 25; seed < part * 25 + 25; seed++) {
        const { fn, specs, arrays } = randomProgram(seed);
        expect(await worst(trace(fn, specs), arrays), `seed ${seed}`).toBe(0);
      }
    });

  fused(
    "sum over leading axes at the end of a chain, rows of many widths",
    () => [some("float32", [50, 7, 3]), some("float32", [3]), some("float32", [40, 1500]), some("float32", [1000, 16])],
    (x, row, wide, narrow) => {
      const y = p.maximum(p.multiply(x!, row!), p.full([], 0, "float32"));
      return [
        ...[y, p.sum(y, [0, 1]), p.sum(p.negative(y), [0, 1, 2]), p.sum(p.abs(wide!), [0])],
        ...[p.sum(p.multiply(narrow!, narrow!), [0], true), p.sum(p.exp(p.negative(p.abs(x!))), [0])],
      ];
    },
  );
  fused(
    "repeat columns and middle axes",
    () => [some("float32", [6, 5, 4, 8]), some("float32", [6, 1, 1, 8]), some("float32", [5, 1, 1])],
    (x, middle, column) => [
      p.add(p.subtract(x!, middle!), column!),
      p.broadcastTo(p.reshape(middle!, [6, 1, 8]), [6, 3, 8]),
    ],
  );
  fused(
    "keep a mask for later and read it again",
    () => [some("float32", [3000]), some("float32", [3000])],
    (x, g) => {
      const mask = p.greater(x!, p.full([], 0, "float32"));
      const product = p.dot(p.reshape(x!, [30, 100]), p.reshape(g!, [100, 30]), {
        contract: [[1], [0]],
        batch: [[], []],
      });
      const spread = p.reshape(p.broadcastTo(p.sum(product, [0, 1]), [3000]), [3000]);
      return [mask, p.select(mask, spread, g!)];
    },
    1e-4,
  );
  fused(
    "hand a value on that is a result and an operand, under another shape too",
    () => [some("float32", [12, 10])],
    (x) => {
      const y = p.add(x!, x!);
      return [y, p.reshape(y, [10, 12]), p.multiply(p.reshape(y, [120]), p.reshape(x!, [120])), x!];
    },
  );
});
