import { beforeAll, describe, expect, it } from "vitest";
import type { DType, TensorSpec } from "../../src/core/dtype.js";
import type { Engine } from "../../src/core/engine.js";
import { NDArray } from "../../src/core/ndarray.js";
import { randomProgram } from "../../src/backend/numpy/compiler/random-program.js";
import { trace } from "../../src/core/trace.js";
import { add } from "../../src/primitives/index.js";

let jax: Engine;
let numpy: Engine;
beforeAll(async () => {
  jax = (await import("../../src/backend/jax/index.js")).default;
  numpy = (await import("../../src/backend/numpy/index.js")).default;
});

const spec = (shape: readonly number[], dtype: DType = "float32"): TensorSpec => ({ shape, dtype });
function run(
  engine: Engine,
  op: string,
  inputs: readonly NDArray[],
  attributes: object,
  outputs: readonly TensorSpec[],
): NDArray[] {
  const handles = inputs.map((x) => engine.fromHost(x));
  const results = engine.execute(op, handles, attributes, outputs);
  const read = results.map((y) => engine.toHost(y) as NDArray);
  for (const handle of [...handles, ...results]) engine.dispose(handle);
  return read;
}
/** Compares both engines' values of one op, whose results have the given specs; `slack` is for sums of many terms. */
function compare(
  op: string,
  inputs: readonly NDArray[],
  attributes: object,
  outputs: readonly TensorSpec[],
  slack: number,
): void {
  const [ours, wanted] = [jax, numpy].map((engine) => run(engine, op, inputs, attributes, outputs));
  wanted!.forEach((y, i) => {
    const [a, e] = [ours![i]!.numbers(), y.numbers()];
    expect(ours![i]!.shape).toEqual(y.shape);
    expect(ours![i]!.dtype).toBe(y.dtype);
    e.forEach((value, k) => {
      if (Number.isFinite(value))
        expect(Math.abs(a[k]! - value)).toBeLessThanOrEqual(slack * (2e-6 + 4e-6 * Math.abs(value)));
      else expect(a[k]).toBe(value);
    });
  });
}
const both = (op: string, inputs: readonly NDArray[], attributes: object, ...outputs: TensorSpec[]): void =>
  compare(op, inputs, attributes, outputs, 1);
const array = (values: readonly number[], dtype: DType = "float32"): NDArray => NDArray.from(values, dtype);
const noise = (shape: readonly number[], seed = 1): NDArray => {
  const size = shape.reduce((n, d) => n * d, 1);
  return new NDArray(
    Float32Array.from({ length: size }, (_, i) => Math.sin(12.9898 * (i + seed) + 78.233 * seed)),
    shape,
    "float32",
  );
};

describe("where jax-js is wrong or imprecise the engine has values of its own", () => {
  const edges = array([
    -Infinity,
    -100,
    -88.5,
    -3.5,
    -0.5,
    -1e-8,
    0,
    1e-40,
    1e-8,
    0.1,
    0.5,
    1,
    2.5,
    88.5,
    100,
    Infinity,
    NaN,
  ]);
  it.each(["exp", "expm1", "log", "log1p", "sigmoid", "tanh", "sin", "cos", "erf", "round", "sign", "abs", "isFinite"])(
    "%s",
    (op) => both(op, [edges], {}, spec(edges.shape, op === "isFinite" ? "bool" : "float32")),
  );
  it("quotients of equal numbers are 1, and quotients by zero infinite", () =>
    both("divide", [array([49, 1, 0, -1, Infinity]), array([49, 0, 0, 0, 2])], {}, spec([5])));
  it("powers of zero, of negative numbers and to infinity", () =>
    both("power", [array([0, 0, -2, -2, 2, -8]), array([0, 2, 3, 2, -Infinity, 1])], {}, spec([6])));
  it("integer quotients and remainders by zero and of the lowest number", () => {
    const operands = [array([7, -7, 5, -2147483648, 9], "int32"), array([2, 2, 0, -1, -4], "int32")];
    both("divide", operands, {}, spec([5], "int32"));
    both("remainder", operands, {}, spec([5], "int32"));
  });
  it("positions of the largest element when there is a NaN", () =>
    both("argMax", [array([1, NaN, 3, NaN])], { axis: 0 }, spec([], "int32")));
  it.each(["clip", "fill", "zero"])("indices outside their axis, mode %s", (mode) =>
    both("take", [noise([3, 2]), array([2, -1, 3], "int32")], { axis: 0, mode }, spec([3, 2])),
  );
  it("shifts by the width of the type", () => {
    for (const op of ["shiftLeft", "shiftRightLogical", "shiftRightArithmetic"])
      both(op, [array([-8, -8, 7, 7], "int32"), array([1, 32, 2, 40], "int32")], {}, spec([4], "int32"));
  });
  it("long sums keep their digits", () =>
    both(
      "sum",
      [new NDArray(new Float32Array(300_000).fill(0.1), [300_000], "float32")],
      { axes: [0], keepdims: false },
      spec([]),
    ));
});

describe("random bits", () => {
  it("are those of the built-in engine, which are JAX's", () => {
    const key = array([123, 4_000_000_000], "uint32");
    const [ours, wanted] = [jax, numpy].map((e) =>
      run(e, "randomBits", [key], { shape: [3, 50] }, [spec([3, 50], "uint32")]),
    );
    expect(ours![0]!.toArray()).toEqual(wanted![0]!.toArray());
  });
});

describe("convolutions and pooling", () => {
  const same = {
    strides: [2, 1],
    padding: [
      [1, 1],
      [0, 1],
    ],
    dilation: [1, 2],
  };
  it.each([
    [1, 8, 4],
    [1, 2, 6],
    [2, 6, 4],
    [4, 4, 8],
    [2, 12, 4],
  ])("groups %i, channels %i, filters %i", (groups, channels, filters) => {
    const attributes = { ...same, groups };
    const [x, kernel] = [noise([2, 7, 8, channels]), noise([3, 2, channels / groups, filters], 2)];
    const y = [2, 4, 7, filters];
    both("convolution", [x, kernel], attributes, spec(y));
    const g = noise(y, 3);
    both("convolutionInputGradient", [g, kernel], { ...attributes, spatial: [7, 8] }, spec(x.shape));
    both("convolutionKernelGradient", [x, g], { ...attributes, window: [3, 2] }, spec(kernel.shape));
  });
  interface Geometry {
    readonly image: readonly number[];
    readonly window: readonly number[];
    readonly strides: readonly number[];
    readonly padding: readonly (readonly [number, number])[];
    readonly dilation: readonly number[];
  }
  const once = { strides: [1, 1], dilation: [1, 1] };
  const geometries: readonly Geometry[] = [
    { image: [16, 4, 5, 8], window: [3, 3], padding: [[1, 1], [1, 1]], ...once }, // prettier-ignore
    { image: [17, 5, 5, 4], window: [3, 3], padding: [[0, 0], [0, 0]], ...once }, // prettier-ignore
    { image: [19, 4, 5, 4], window: [2, 3], padding: [[0, 1], [2, 0]], ...once }, // prettier-ignore
    { image: [16, 6, 5, 12], window: [1, 1], padding: [[0, 0], [0, 0]], strides: [2, 2], dilation: [1, 1] }, // prettier-ignore
    { image: [18, 6, 7, 4], window: [2, 3], padding: [[0, 1], [2, 0]], strides: [1, 1], dilation: [2, 3] }, // prettier-ignore
    { image: [3, 2, 2, 4], window: [3, 3], padding: [[3, 2], [4, 3]], ...once }, // prettier-ignore
    { image: [16, 9, 4], window: [3], padding: [[1, 0]], strides: [2], dilation: [1] },
    { image: [2, 4, 5, 3, 4], window: [2, 3, 2], padding: [[0, 1], [1, 1], [1, 0]], strides: [2, 1, 1], dilation: [1, 1, 1] }, // prettier-ignore
  ];
  it.each(geometries)(
    "image $image, window $window, margins $padding, strides $strides, dilation $dilation",
    (geometry) => {
      const { image, window, strides, padding, dilation } = geometry;
      const attributes = { strides, padding, dilation, groups: 1 };
      const [batch, ...rest] = image as [number, ...number[]];
      const spatial = rest.slice(0, -1);
      const channels = rest.at(-1)!;
      const positions = spatial.map((d, i) => {
        const free = d + padding[i]![0] + padding[i]![1] - ((window[i]! - 1) * dilation[i]! + 1);
        return Math.floor(free / strides[i]!) + 1;
      });
      const [x, kernel, g] = [noise(image), noise([...window, channels, 8], 2), noise([batch, ...positions, 8], 3)];
      compare("convolution", [x, kernel], attributes, [spec(g.shape)], 4);
      compare("convolutionInputGradient", [g, kernel], { ...attributes, spatial }, [spec(x.shape)], 4);
      compare("convolutionKernelGradient", [x, g], { ...attributes, window }, [spec(kernel.shape)], 4);
    },
  );
  it.each([
    {
      window: [2, 2],
      strides: [2, 2],
      padding: [
        [0, 0],
        [0, 0],
      ],
      out: [2, 3, 4, 3],
    },
    {
      window: [3, 2],
      strides: [2, 1],
      padding: [
        [1, 1],
        [0, 1],
      ],
      out: [2, 4, 8, 3],
    },
  ])("windows $window by $strides", ({ out, ...attributes }) => {
    const x = noise([2, 7, 8, 3]);
    both("maxPool", [x], attributes, spec(out));
    both("sumPool", [x], attributes, spec(out));
    both("maxPoolGradient", [x, noise(out, 2)], attributes, spec(x.shape));
    both("maxPoolSelect", [x, noise(x.shape, 2)], attributes, spec(out));
    both("sumPoolGradient", [noise(out, 2)], { ...attributes, spatial: [7, 8] }, spec(x.shape));
  });
});

describe("programs", () => {
  it("run when they are called, so that work does not pile up where nobody reads", () => {
    const program = trace((x) => [add(x!, x!)], [spec([1 << 22])]);
    const executable = jax.compile(program);
    let handle = jax.fromHost(new NDArray(new Float32Array(1 << 22).fill(1), [1 << 22], "float32"));
    // More than the four GiB that a heap of WebAssembly holds, were they all waiting.
    for (let i = 0; i < 300; i++) {
      const [next] = executable.run([handle]);
      jax.dispose(handle);
      handle = next;
    }
    expect((jax.toHost(handle) as NDArray).at(0)).toBe(Infinity);
    jax.dispose(handle);
  });
  it("are cut where jax-js would take too much memory at once, and give the same", async () => {
    const { compile } = await import("../../src/backend/jax/compile.js");
    for (let seed = 100; seed < 108; seed++) {
      const { fn, specs, arrays } = randomProgram(seed);
      const program = trace(fn, specs);
      const [whole, cut] = [compile(program), compile(program, 1)].map((executable) => {
        const handles = arrays.map((x) => jax.fromHost(x));
        return executable.run(handles).map((y) => Array.from((jax.toHost(y) as NDArray).numbers()));
      });
      whole!.forEach((y, i) =>
        y.forEach((value, k) =>
          expect(Math.abs(cut![i]![k]! - value), `seed ${seed}`).toBeLessThanOrEqual(1e-5 * Math.abs(value)),
        ),
      );
    }
  });
  it.each(Array.from({ length: 6 }, (_, i) => i))("give what the built-in engine gives, part %i", (part) => {
    for (let seed = part * 5; seed < part * 5 + 5; seed++) {
      const { fn, specs, arrays } = randomProgram(seed);
      const program = trace(fn, specs);
      const [ours, wanted] = [jax, numpy].map((engine) => {
        const executable = engine.compile(program);
        const handles = arrays.map((x) => engine.fromHost(x));
        return executable.run(handles).map((y) => (engine.toHost(y) as NDArray).numbers());
      });
      wanted!.forEach((y, i) =>
        y.forEach((value, k) =>
          expect(Math.abs(ours![i]![k]! - value), `seed ${seed}`).toBeLessThanOrEqual(1e-5 * Math.abs(value)),
        ),
      );
    }
  });
});
