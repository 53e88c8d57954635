import * as tf from "@tensorflow/tfjs-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DType } from "../../src/core/dtype.js";
import { NDArray, sizeOf } from "../../src/core/ndarray.js";
import numpy from "../../src/backend/numpy/index.js";
import tensorflow from "../../src/backend/tensorflow/index.js";
import { startTensorFlow } from "../../src/backend/tensorflow/start.js";
import type { Value } from "../../src/backend/tensorflow/value.js";
import { type PrimitiveName, primitives } from "../../src/primitives/index.js";
import { Dice } from "../../src/backend/numpy/testing.js";

const dice = new Dice(7);
const specials = [0, -0, 1, -1, 0.5, 2.5, -2.5, 1e-8, -1e-8, 88, -88, 1e10, -1e10, 3e38, Infinity, -Infinity, NaN];

function floats(shape: readonly number[], withSpecials = false): NDArray {
  const next = (i: number): number =>
    withSpecials && i % 2 === 0 ? specials[dice.below(specials.length)]! : (dice.below(2001) - 1000) / 250;
  return new NDArray(
    Float32Array.from({ length: sizeOf(shape) }, (_, i) => next(i)),
    shape,
    "float32",
  );
}

/** Runs a primitive on both engines; the results must agree to a few roundings, and nothing may stay behind. */
function compare(
  op: PrimitiveName,
  arrays: readonly NDArray[],
  attributes: object,
  expected?: "tensor" | "array",
): void {
  const outputs = primitives[op].infer(arrays, attributes as never);
  const before = tf.memory().numTensors;
  const inputs = arrays.map((array) => tensorflow.fromHost(array) as Value);
  const results = tensorflow.execute(op, inputs, attributes, outputs) as Value[];
  if (expected) expect(results[0]!.isTensor, `${op} ran on TensorFlow.js`).toBe(expected === "tensor");
  const wanted = numpy.kernels[op](arrays, attributes as never, outputs);
  results.forEach((result, i) => {
    expect(result.shape).toEqual(outputs[i]!.shape);
    expect(result.dtype).toBe(outputs[i]!.dtype);
    const got = result.toHost().numbers();
    wanted[i]!.numbers().forEach((want, at) => {
      const close = Object.is(got[at], want) || Math.abs(got[at]! - want) <= 1e-5 * (1 + Math.abs(want));
      if (!close) {
        const shapes = arrays.map((x) => `[${x.shape}]`).join(" ");
        expect.fail(`${op} ${shapes} ${JSON.stringify(attributes)}: element ${at} is ${got[at]}, expected ${want}`);
      }
    });
  });
  for (const x of [...inputs, ...results]) x.release();
  expect(tf.memory().numTensors).toBe(before);
}
const shape = (rank: number, most = 6): number[] => Array.from({ length: rank }, () => 1 + dice.below(most));
const times = (n: number, run: () => void): void => {
  for (let i = 0; i < n; i++) run();
};

describe.each(["wasm", "cpu"])("gives what the built-in engine gives, on %s", (backend) => {
  beforeAll(async () => void (await startTensorFlow(backend)));
  afterAll(async () => void (await startTensorFlow("wasm")));
  // On WebAssembly the built-in engine has the same heap and is faster.
  const heavy = backend === "wasm" ? "array" : "tensor";

  it.each(["negative", "abs", "floor", "ceil", "sqrt", "sigmoid"] as const)("%s", (op) => {
    compare(op, [floats([400], true)], {}, "tensor");
  });
  it.each(["add", "subtract", "multiply", "divide"] as const)("%s, with broadcasting", (op) => {
    compare(op, [floats([600], true), floats([600], true)], {}, "tensor");
    times(60, () => {
      const full = [2, ...shape(dice.below(5), 4)];
      const part = full.map((d) => (dice.below(3) === 0 ? 1 : d)).slice(dice.below(full.length));
      const pair = [floats(full, true), floats(part, true)];
      compare(op, dice.below(2) ? pair : pair.reverse(), {}, "tensor");
    });
    compare(op, [floats([2, 1, 2, 1, 2, 1, 2]), floats([1, 2, 1, 2, 1, 2, 1])], {}, "array");
  });
  it("maximum, with NaN on either side", () => {
    compare("maximum", [floats([400], true), NDArray.from(0, "float32")], {}, "tensor");
    compare("maximum", [NDArray.from(0, "float32"), floats([20, 20], true)], {}, "tensor");
    compare("maximum", [floats([400], true), floats([400], true)], {}, "array");
    compare("minimum", [floats([400], true), floats([400], true)], {}, "array");
  });
  it("movement", () => {
    times(60, () => {
      const s = [2, ...shape(dice.below(4))];
      const x = floats(s, true);
      const start = s.map((d) => dice.below(d));
      compare("slice", [x], {
        start,
        limit: s.map((d, i) => start[i]! + 1 + dice.below(d - start[i]!)),
        strides: s.map(() => 1),
      });
      compare("slice", [x], { start: s.map(() => 0), limit: s, strides: s.map(() => 2) });
      const low = s.map(() => dice.below(3));
      compare("pad", [x], { low, high: low, interior: s.map(() => 0), value: NaN });
      compare("pad", [x], { low: s.map(() => -1), high: low, interior: s.map(() => 1), value: 2 });
      const permutation = s.map((_, i) => i).sort(() => dice.below(2) - 0.5);
      compare("transpose", [x], { permutation });
      const axis = dice.below(s.length);
      compare("concatenate", [x, floats(s.map((d, i) => (i === axis ? 3 : d))), x], { axis });
      compare(
        "broadcastTo",
        [
          floats(
            s.map((d) => (dice.below(2) ? 1 : d)),
            true,
          ),
        ],
        { shape: [2, ...s] },
      );
      compare("reverse", [x], { axes: [axis] });
      compare("reshape", [x], { shape: [sizeOf(s)] }, "tensor");
    });
  });
  it("sums, also long ones", () => {
    times(80, () => {
      const x = floats(shape(1 + dice.below(4)));
      const axes = x.shape.map((_, i) => i).filter(() => dice.below(2));
      compare("sum", [x], { axes, keepdims: dice.below(2) === 1 });
    });
    compare("sum", [floats([86528, 3])], { axes: [0], keepdims: false }, heavy);
    compare("sum", [floats([10007, 3])], { axes: [0], keepdims: false }, "array");
    const large = new NDArray(new Float32Array(2e6).fill(0.1), [2e6], "float32");
    compare("sum", [large], { axes: [0], keepdims: false });
  });
  it("contractions", () => {
    for (const m of [2, 5, 17])
      for (const k of [2, 3, 33])
        for (const n of [1, 2, 3, 16]) {
          compare("dot", [floats([m, k]), floats([k, n])], { contract: [[1], [0]], batch: [[], []] }, heavy);
          compare("dot", [floats([k, m]), floats([n, k])], { contract: [[0], [1]], batch: [[], []] }, heavy);
          compare("dot", [floats([3, k, m]), floats([n, 3, k])], { contract: [[1], [2]], batch: [[0], [1]] }, "array");
        }
    compare(
      "dot",
      [floats([2, 3, 4, 5]), floats([4, 3, 6])],
      {
        contract: [
          [2, 1],
          [0, 1],
        ],
        batch: [[], []],
      },
      heavy,
    );
  });
  it("convolutions and their gradients", () => {
    times(80, () => {
      const rank = 1 + dice.below(2);
      const pick = (most: number, from = 1): number[] => Array.from({ length: rank }, () => from + dice.below(most));
      const [spatial, window] = [pick(6, 4), pick(3)];
      const [channels, filters] = [1 + dice.below(5), 1 + dice.below(6)];
      const common = {
        strides: pick(2),
        padding: pick(3, 0).map((n) => [n, dice.below(3)] as const),
        dilation: pick(2),
        groups: 1,
      };
      const x = floats([2, ...spatial, channels]);
      const kernel = floats([...window, channels, filters]);
      const g = floats(primitives.convolution.infer([x, kernel], common)[0]!.shape);
      if (g.size === 0) return;
      compare("convolution", [x, kernel], common, heavy);
      compare("convolutionInputGradient", [g, kernel], { ...common, spatial });
      compare("convolutionKernelGradient", [x, g], { ...common, window });
    });
    const depthwise = {
      strides: [1, 1],
      padding: [
        [0, 0],
        [0, 0],
      ],
      dilation: [1, 1],
      groups: 4,
    };
    compare("convolution", [floats([2, 5, 5, 4]), floats([3, 3, 1, 8])], depthwise, "array");
  });
  it("the same weights under several shapes", () => {
    const w = tensorflow.fromHost(floats([4, 6])) as Value;
    const plain = numpy.kernels.dot;
    for (const rows of [4, 6, 2, 3, 8, 4]) {
      const columns = 24 / rows;
      const seen = tensorflow.execute("reshape", [w], { shape: [rows, columns] }, [
        { shape: [rows, columns], dtype: "float32" },
      ])[0] as Value;
      const x = floats([5, rows]);
      const attributes = { contract: [[1], [0]], batch: [[], []] } as const;
      const spec = [{ shape: [5, columns], dtype: "float32" as const }];
      const [got] = tensorflow.execute("dot", [tensorflow.fromHost(x), seen], attributes, spec) as [Value];
      const [want] = plain([x, w.toHost().reshape([rows, columns])], attributes, spec);
      got
        .toHost()
        .numbers()
        .forEach((v, i) => expect(v).toBeCloseTo(want!.numbers()[i]!, 3));
    }
  });
});

it("softmax by a kernel of its own, infinities and NaN included", () => {
  const softmax = (shape: readonly number[], axis: number): void => {
    const x = floats(shape, true);
    // Rows of plain numbers among those with special ones.
    (x.data as Float32Array).fill(1.5, 0, shape.at(-1)! * 2);
    const value = tensorflow.fromHost(x) as Value;
    const spec = { shape, dtype: "float32" } as const;
    const results = tensorflow.executeComposite!("nn.Softmax", [value], { args: [null, { axis }] }, [spec]);
    const last = axis === -1 || axis === shape.length - 1;
    expect(results !== null).toBe(last);
    if (!results) return value.release();
    const n = shape.at(-1)!;
    const got = (results[0] as Value).toHost().numbers();
    for (let at = 0; at < x.size; at += n) {
      const row = [...x.numbers().slice(at, at + n)];
      const top = row.reduce((a, b) => (Number.isNaN(a) || Number.isNaN(b) ? NaN : Math.max(a, b)));
      const e = row.map((v) => Math.exp(v - top));
      const sum = e.reduce((a, b) => a + b, 0);
      e.forEach((v, i) => {
        if (Number.isNaN(v / sum)) expect(got[at + i]).toBeNaN();
        else expect(got[at + i]).toBeCloseTo(v / sum, 6);
      });
    }
    for (const x of [value, ...results]) (x as Value).release();
  };
  for (const shape of [[5], [40, 10], [3, 4, 17], [64, 300]]) softmax(shape, -1);
  softmax([6, 8], 1);
  softmax([6, 8], 0);
});

it("keeps values of every dtype exactly", () => {
  const dtypes: DType[] = [
    "bool",
    "uint8",
    "uint16",
    "uint32",
    "int8",
    "int16",
    "int32",
    "float16",
    "bfloat16",
    "float32",
  ];
  for (const dtype of [...dtypes, "complex64", "float8_e4m3fn", "float8_e5m2"] as const) {
    const array = NDArray.from([0, 1, 3, 100], dtype);
    const value = tensorflow.fromHost(array) as Value;
    expect(value.toHost()).toEqual(array);
    const [sum] = tensorflow.execute("cast", [value], { dtype: "float32" }, [{ shape: [4], dtype: "float32" }]) as [
      Value,
    ];
    expect([...sum.toHost().numbers()]).toEqual([
      ...numpy.kernels.cast([array], { dtype: "float32" }, [])[0]!.numbers(),
    ]);
    value.release();
    sum.release();
  }
});

it("never takes over the arrays of the caller, nor gives its own away", () => {
  const array = NDArray.from([1, 2, 3], "float32");
  const value = tensorflow.fromHost(array) as Value;
  array.data[0] = 9;
  value.toHost().data[1] = 9;
  expect(value.toHost().toArray()).toEqual([1, 2, 3]);
  value.release();
  expect(() => value.tensor).toThrow(/freed already/);
});

it("draws the same random bits as the built-in engine", () => {
  const key = NDArray.from([7, 4000000000], "uint32");
  const specs = [{ shape: [1000], dtype: "uint32" as const }];
  const [bits] = tensorflow.execute("randomBits", [tensorflow.fromHost(key)], { shape: [1000] }, specs) as [Value];
  expect(bits.toHost()).toEqual(numpy.kernels.randomBits([key], { shape: [1000] }, specs)[0]);
});

it("refuses backends of TensorFlow.js that nobody has registered", async () => {
  await expect(startTensorFlow("webnn")).rejects.toThrow(/Unknown TensorFlow.js backend: "webnn".*wasm, cpu/);
  expect(tf.getBackend()).toBe("wasm");
});
