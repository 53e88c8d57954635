import { describe, expect } from "vitest";
import { randomProgram } from "../../src/backend/numpy/compiler/random-program.js";
import type { Addon } from "../../src/backend/torch/addon.js";
import { ways } from "../../src/backend/torch/fuse/chain-code.js";
import { chainsOf as writtenChains } from "../../src/backend/torch/fuse/testing.js";
import { storedAs } from "../../src/backend/torch/storage.js";
import type { TensorSpec } from "../../src/core/dtype.js";
import type { NDArray } from "../../src/core/ndarray.js";
import type { Program } from "../../src/core/program.js";
import type { Tensor } from "../../src/core/tensor.js";
import { trace } from "../../src/core/trace.js";
import * as p from "../../src/primitives/index.js";
import { itRequires } from "../support/require.js";
import { torchAddon } from "../support/torch-addon.js";
import { some, torch } from "./torch-compare.js";

interface Chain {
  readonly inputs: readonly TensorSpec[];
  readonly code: readonly number[];
}

function chainsOf(program: Program): Chain[] {
  const specs = (ids: readonly number[]): TensorSpec[] => ids.map((id) => program.values[id]!);
  return writtenChains(program).map(({ inputs, code }) => ({ inputs: specs(inputs), code }));
}

/** Results of a chain, run in one of the two ways, as the words or bytes that they are. */
function run(addon: Addon, { code }: Chain, arrays: readonly NDArray[], way: number): number[][] {
  const inputs = arrays.map(({ data, shape, dtype }) =>
    addon.fromHost(data as Float32Array, [...shape], storedAs(dtype), "cpu"),
  );
  const results = addon.call(addon.opId("keras::chain", ""), inputs, [way, ...code.slice(1)]) as readonly number[];
  return results.map((result) => {
    const bytes = addon.toHost(result);
    if (addon.scalarTypeOf(result) === storedAs("bool")) return [...new Uint8Array(bytes)];
    // One NaN is as good as another.
    const floats = addon.scalarTypeOf(result) === storedAs("float32") ? new Float32Array(bytes) : [];
    return Array.from(new Int32Array(bytes), (word, i) => (Number.isNaN(floats[i]) ? 0x7fc00000 : word));
  });
}

const same = (name: string, fn: (...x: Tensor[]) => Tensor | Tensor[], specs: readonly TensorSpec[]): void =>
  itRequires("libtorch", name, async () => {
    await torch();
    const found = chainsOf(trace((...x: Tensor[]) => [fn(...x)].flat(), specs));
    expect(found.length).toBeGreaterThan(0);
    for (const chain of found) compare(chain, name);
  });

function compare(chain: Chain, what: string): void {
  const arrays = chain.inputs.map(({ shape, dtype }) => some(dtype, shape, true));
  const compiled = run(torchAddon(), chain, arrays, ways.compiled);
  const opByOp = run(torchAddon(), chain, arrays, ways.opByOp);
  // The sign of zero may depend on how the larger of two is found.
  const unsigned = (words: readonly number[]): number[] => words.map((word) => (word === -2147483648 ? 0 : word));
  expect(compiled.map(unsigned), what).toEqual(opByOp.map(unsigned));
}

const float = (...shape: readonly number[]): TensorSpec => ({ shape, dtype: "float32" });
const int = (...shape: readonly number[]): TensorSpec => ({ shape, dtype: "int32" });
const bool = (...shape: readonly number[]): TensorSpec => ({ shape, dtype: "bool" });
const number = (value: number): Tensor => p.full([], value, "float32");

describe("compiled chains give what chains op by op give", () => {
  itRequires("libtorch", "random programs", async () => {
    await torch();
    let compared = 0;
    for (let seed = 500; seed < 620; seed++) {
      const { fn, specs } = randomProgram(seed);
      for (const chain of chainsOf(trace(fn, specs))) {
        compare(chain, `seed ${seed}`);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(50);
  });
  same(
    "functions of floats",
    (x) => [
      ...[p.exp(x!), p.log(x!), p.sigmoid(x!), p.tanh(x!), p.sqrt(x!), p.rsqrt(x!)],
      ...[p.sign(x!), p.floor(x!), p.ceil(x!), p.round(x!), p.isFinite(x!), p.cast(x!, "int32")],
    ],
    [float(700, 3)],
  );
  same(
    "comparisons and masks, as bools, numbers and tests",
    (x, y, mask) => {
      const less = p.less(x!, y!);
      const either = p.logicalOr(less, mask!);
      const both = p.logicalAnd(p.equal(x!, y!), p.logicalNot(mask!));
      return [
        ...[either, both, p.cast(either, "float32"), p.cast(p.logicalXor(either, both), "int32")],
        ...[p.select(either, x!, y!), p.select(mask!, less, both), p.equal(either, mask!)],
        ...[p.maximum(x!, y!), p.minimum(x!, number(1)), p.maximum(number(-2), y!)],
      ];
    },
    [float(1003), float(1003), bool(1003)],
  );
  same(
    "integers",
    (x, y) => [
      ...[p.add(x!, y!), p.subtract(x!, y!), p.multiply(x!, y!), p.maximum(x!, y!), p.minimum(x!, y!)],
      ...[p.negative(x!), p.bitwiseNot(x!), p.bitwiseAnd(x!, y!), p.bitwiseXor(x!, y!), p.lessEqual(x!, y!)],
      ...[p.shiftLeft(x!, y!), p.shiftRightArithmetic(x!, y!), p.shiftRightLogical(x!, y!), p.notEqual(x!, y!)],
      p.cast(x!, "float32"),
    ],
    [int(517), int(517)],
  );
  same(
    "more values and tensors than there are registers",
    (...x) => {
      const products = x.map((a, i) => p.multiply(a, x[(i + 5) % x.length]!));
      const sums = products.map((a, i) => p.add(a, products[(i + 3) % x.length]!));
      return [...sums, [...products].reverse().reduce((a, b) => p.subtract(a, b))];
    },
    Array.from({ length: 18 }, (_, i) => (i % 4 === 3 ? float() : float(333))),
  );
  for (const width of [1, 3, 10, 16, 640, 2049, 5000])
    same(
      `rows of ${width}, columns and sums`,
      (x, row, column) => {
        const y = p.add(p.multiply(x!, row!), column!);
        return [p.maximum(y, number(0)), p.sum(y, [0]), p.sum(p.abs(y), [0, 1]), p.sum(p.maximum(y, row!), [0], true)];
      },
      [float(37, width), float(width), float(37, 1)],
    );
});

describe("results of chains", () => {
  itRequires("libtorch", "do not depend on the number of threads, sums included", async () => {
    await torch();
    const addon = torchAddon();
    const threads = addon.threads();
    const [chain] = chainsOf(
      trace(
        (x: Tensor, row: Tensor) => {
          const y = p.multiply(p.add(x, row), x);
          return [y, p.sum(y, [0]), p.sum(y, [0, 1])];
        },
        [float(3001, 60), float(60)],
      ),
    );
    const arrays = chain!.inputs.map(({ shape, dtype }) => some(dtype, shape));
    for (const way of Object.values(ways)) {
      const results = [1, 2, 3].map((count) => {
        addon.setThreads(count);
        return run(addon, chain!, arrays, way);
      });
      addon.setThreads(threads);
      expect(results[1]).toEqual(results[0]);
      expect(results[2]).toEqual(results[0]);
    }
  });
});

describe("code that is wrong", () => {
  itRequires("libtorch", "throws", async () => {
    await torch();
    const addon = torchAddon();
    const [chain] = chainsOf(trace((x: Tensor) => [p.add(x, x)], [float(8)]));
    const x = addon.fromHost(new Float32Array(8), [8], storedAs("float32"), "cpu");
    const op = addon.opId("keras::chain", "");
    const call =
      (code: readonly number[], tensors: readonly number[] = [x]) =>
      () =>
        addon.call(op, tensors, code);
    const { code } = chain!;
    expect(call(code)).not.toThrow();
    expect(call(code, [])).toThrow("expected 1 tensors, got 0");
    expect(call([7, ...code.slice(1)])).toThrow("wrong way: 7");
    expect(call([...code, 0])).toThrow("more code than needed");
    expect(call(code.slice(0, -1))).toThrow("ends too early");
    const ints = addon.fromHost(new Int32Array(8), [8], storedAs("int32"), "cpu");
    expect(call(code, [ints])).toThrow("a tensor of Int in place of Float");
    const short = addon.fromHost(new Float32Array(4), [4], storedAs("float32"), "cpu");
    expect(call(code, [short])).toThrow("a tensor of 4 elements where 8 are read");
  });
});
