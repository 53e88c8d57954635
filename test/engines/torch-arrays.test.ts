import { describe, expect } from "vitest";
import numpy from "../../src/backend/numpy/index.js";
import type { Value } from "../../src/backend/torch/value.js";
import { NDArray, sizeOf } from "../../src/core/ndarray.js";
import { primitives } from "../../src/primitives/index.js";
import { itRequires } from "../support/require.js";
import { compares, dice, some, times, torch } from "./torch-compare.js";

const dtypes = ["float32", "bfloat16", "bool", "uint8", "uint16", "uint32", "int32", "complex64"] as const;
const ints32 = (values: readonly number[], shape: readonly number[]): NDArray =>
  new NDArray(Int32Array.from(values), shape, "int32");
const shape = (rank: number): number[] => dice.shape(rank, 5);
const below = (n: number, count: number, from = 0): number[] =>
  Array.from({ length: count }, () => from + dice.below(n));

describe("movement", () => {
  compares("slices, pads, turns and joins", (same) => {
    times(60, () => {
      const dtype = dtypes[dice.below(dtypes.length)]!;
      const s = shape(1 + dice.below(4));
      const x = some(dtype, s, dtype === "float32");
      const start = s.map((d) => dice.below(d));
      const limit = s.map((d, i) => start[i]! + dice.below(d - start[i]! + 1));
      same("slice", [x], { start, limit, strides: s.map(() => 1 + dice.below(2)) });
      const low = s.map(() => dice.below(4) - 1);
      const high = s.map((d, i) => Math.max(dice.below(4) - 1, -d - low[i]!));
      same("pad", [x], { low, high, interior: s.map(() => dice.below(3)), value: 1 });
      same("transpose", [x], { permutation: s.map((_, i) => i).sort(() => dice.below(2) - 0.5) });
      same("reverse", [x], { axes: s.map((_, i) => i).filter(() => dice.below(2)) });
      const axis = dice.below(s.length);
      const other = s.map((d, i) => (i === axis ? dice.below(3) : d));
      same("concatenate", [x, some(dtype, other), x], { axis });
      const narrow = some(
        dtype,
        s.map((d) => (dice.below(2) ? 1 : d)),
      );
      same("broadcastTo", [narrow], { shape: [2, ...s] });
      same("reshape", [x], { shape: [1, sizeOf(s)] });
    });
    same("pad", [some("float32", [2, 2])], { low: [-3, 0], high: [4, 0], interior: [0, 0], value: NaN });
    same("slice", [some("float32", [3])], { start: [3], limit: [3], strides: [1] });
  });
  compares("windows at positions that are computed", (same) => {
    times(30, () => {
      const s = shape(1 + dice.below(3));
      const sizes = s.map((d) => 1 + dice.below(d));
      const start = ints32(
        s.map(() => dice.below(9) - 3),
        [s.length],
      );
      same("dynamicSlice", [some("float32", s), start], { sizes });
      same("dynamicUpdateSlice", [some("float32", s), some("float32", sizes), start]);
    });
  });
});

describe("indexing, also outside", () => {
  const modes = ["clip", "fill", "zero"] as const;
  compares("reading", (same) => {
    for (const dtype of dtypes)
      for (const mode of modes) {
        const x = some(dtype, [4, 5, 3]);
        const axis = dice.below(3);
        const indices = ints32(below(9, 6, -2), [2, 3]);
        same("take", [x, indices], { axis, mode });
        const along = [4, 5, 3].map((d, i) => (i === axis ? 7 : d));
        same("takeAlongAxis", [x, ints32(below(9, sizeOf(along), -2), along)], { axis, mode });
        same("gather", [x, ints32(below(7, 8, -1), [2, 2, 2])], { mode });
        same("gather", [x, ints32(below(5, 6, -1), [2, 3])], { mode });
      }
  });
  compares("writing, several times to one place", (same) => {
    for (const dtype of ["float32", "float16", "uint8", "uint16", "uint32", "int32"] as const)
      for (const mode of ["set", "add", "multiply", "min", "max"] as const) {
        const x = some(dtype, [4, 5]);
        const within = mode === "set" ? 0 : dtype === "float16" ? 2e-3 : 1e-6;
        same("scatter", [x, ints32(below(7, 9, -1), [9, 1]), some(dtype, [9, 5])], { mode }, { within });
        same("scatter", [x, ints32(below(6, 20, -1), [10, 2]), some(dtype, [10])], { mode }, { within });
        for (const axis of [0, 1]) {
          const s = axis === 0 ? [6, 5] : [4, 7];
          const operands = [x, ints32(below(7, sizeOf(s), -1), s), some(dtype, s)];
          same("scatterAlongAxis", operands, { axis, mode }, { within });
        }
      }
    for (const dtype of ["bool", "complex64", "float8_e5m2"] as const)
      same("scatter", [some(dtype, [4, 5]), ints32(below(5, 6, -1), [6, 1]), some(dtype, [6, 5])], { mode: "set" });
  });
});

describe("order", () => {
  compares("sort, argSort and topK, stable, with NaN and zeros of either sign", (same) => {
    for (const dtype of [
      "float32",
      "float16",
      "bfloat16",
      "uint8",
      "uint16",
      "uint32",
      "int8",
      "int32",
      "bool",
    ] as const)
      for (const descending of [false, true]) {
        const x = some(dtype, [5, 40], true);
        for (const axis of [0, 1]) {
          same("sort", [x], { axis, descending }, { signOfZero: false });
          same("argSort", [x], { axis, descending });
        }
        same("topK", [x], { k: 7 });
      }
  });
  compares("searchSorted", (same) => {
    for (const side of ["left", "right"] as const)
      for (const dtype of ["float32", "float16", "int32", "uint32", "uint8"] as const) {
        const values = some(dtype, [30]).numbers();
        const sorted = new NDArray(values.slice().sort(), [30], "float64").astype(dtype);
        same("searchSorted", [sorted, some(dtype, [4, 6])], { side });
      }
  });
});

describe("products", () => {
  compares("contractions over any axes", (same) => {
    times(60, () => {
      const sizes = shape(5);
      const pick = (): number[] => [0, 1, 2, 3, 4].filter(() => dice.below(2) === 1).sort(() => dice.below(2) - 0.5);
      const [a, b] = [pick(), pick()];
      const shared = a.filter((i) => b.includes(i));
      const batch = shared.filter(() => dice.below(3) === 0);
      const contract = shared.filter((i) => !batch.includes(i));
      const at = (axes: number[], of: number[]): number[] => of.map((i) => axes.indexOf(i));
      const attributes = { contract: [at(a, contract), at(b, contract)], batch: [at(a, batch), at(b, batch)] };
      const dtype = (["float32", "float32", "int32", "uint8", "complex64"] as const)[dice.below(5)]!;
      const operand = (axes: number[]): NDArray =>
        some(
          dtype,
          axes.map((i) => sizes[i]!),
        );
      same("dot", [operand(a), operand(b)], attributes, { within: 1e-5, signOfZero: false });
    });
    const nothing = { contract: [[1], [0]], batch: [[], []] };
    same("dot", [some("float32", [2, 0]), some("float32", [0, 3])], nothing);
    for (const dtype of ["float16", "bfloat16"] as const)
      same("dot", [some(dtype, [8, 16]), some(dtype, [16, 4])], nothing, { within: 2 ** -6 });
  });
  compares("convolutions and their gradients", (same) => {
    times(60, () => {
      const rank = 1 + dice.below(3);
      const pick = (most: number, from = 1): number[] => below(most, rank, from);
      const groups = 1 + dice.below(2);
      const [channels, filters] = [groups * (1 + dice.below(3)), groups * (1 + dice.below(3))];
      const common = {
        strides: pick(2),
        padding: pick(3, 0).map((n) => [n, dice.below(3)] as const),
        dilation: pick(2),
        groups,
      };
      const spatial = pick(6, 4);
      const window = pick(3);
      const x = some("float32", [2, ...spatial, channels]);
      const kernel = some("float32", [...window, channels / groups, filters]);
      const g = some("float32", primitives.convolution.infer([x, kernel], common)[0]!.shape);
      const close = { within: 3e-5, signOfZero: false };
      same("convolution", [x, kernel], common, close);
      same("convolutionInputGradient", [g, kernel], { ...common, spatial }, close);
      same("convolutionKernelGradient", [x, g], { ...common, window }, close);
    });
  });
  compares("pooling and its gradients", (same) => {
    times(60, () => {
      const rank = 1 + dice.below(3);
      const pick = (most: number, from = 1): number[] => below(most, rank, from);
      const window = pick(3);
      const attributes = {
        window,
        strides: pick(3),
        padding: window.map((w) => [dice.below(w), dice.below(w)] as const),
      };
      const spatial = pick(5, 3);
      const x = some("float32", [2, ...spatial, 1 + dice.below(5)]);
      const g = some("float32", primitives.maxPool.infer([x], attributes)[0]!.shape);
      const close = { within: 1e-5, signOfZero: false };
      same("maxPool", [x], attributes);
      same("maxPoolGradient", [x, g], attributes, close);
      same("maxPoolSelect", [x, some("float32", x.shape)], attributes);
      same("sumPool", [x], attributes, close);
      same("sumPoolGradient", [g], { ...attributes, spatial }, close);
    });
    const edge = {
      window: [2, 2],
      strides: [2, 2],
      padding: [
        [0, 0],
        [0, 0],
      ],
    };
    same("maxPool", [some("float32", [2, 8, 8, 3], true)], edge);
  });
});

itRequires("libtorch", "a small part does not hold on to the whole", async () => {
  const { engine } = await torch();
  const { addon } = await import("../../src/backend/torch/library.js");
  const before = addon.nativeBytes();
  const whole = engine.fromHost(some("float32", [1000, 1000]));
  const bounds = { start: [3, 0], limit: [4, 1000], strides: [1, 1] };
  const [row] = engine.execute("slice", [whole], bounds, [{ shape: [1, 1000], dtype: "float32" }]);
  engine.dispose(whole);
  expect(addon.nativeBytes() - before).toBe(4000);
  engine.dispose(row);
});

describe("linear algebra", () => {
  const square = (n: number): NDArray => some("float32", [3, n, n]);
  compares("triangles and factors", (same) => {
    const definite = new NDArray(
      Float32Array.from([4, 1, 1, 1, 3, 0, 1, 0, 5, 1, 2, 0, 2, 1, 0, 0, 0, 1]),
      [2, 3, 3],
      "float32",
    );
    same("cholesky", [definite], {}, { within: 1e-5, signOfZero: false });
    const within = { within: 1e-3, signOfZero: false };
    const a = new NDArray(Float32Array.from([2, 1, 3, 1, 3, 1, 2, 1, 4]), [3, 3], "float32");
    for (const lower of [false, true])
      for (const transpose of [false, true])
        for (const unitDiagonal of [false, true])
          same("triangularSolve", [a, some("float32", [3, 2])], { lower, transpose, unitDiagonal }, within);
    same("lu", [square(4)], {}, within);
    same("lu", [some("float32", [2, 4, 3])], {}, within);
    for (const complete of [false, true]) same("qr", [some("float32", [2, 5, 3])], { complete }, within);
  });
  compares("Fourier transforms", (same) => {
    for (const n of [1, 2, 7, 16, 30])
      for (const inverse of [false, true])
        same(
          "fft",
          [some("float32", [3, n]), some("float32", [3, n])],
          { inverse },
          { within: 1e-4, signOfZero: false },
        );
  });
  itRequires("libtorch", "eigenvalues and singular values", async () => {
    const { engine, live } = await torch();
    const before = live();
    for (const op of ["eigh", "svd"] as const) {
      const x = square(5);
      const attributes = { fullMatrices: false };
      const specs = primitives[op].infer([x], attributes as never);
      const operand = engine.fromHost(x) as Value;
      const results = engine.execute(op, [operand], attributes, specs) as Value[];
      const wanted = numpy.kernels[op]([x], attributes, specs);
      const at = op === "svd" ? 1 : 0;
      const values = results[at]!.toHost().numbers();
      wanted[at]!.numbers().forEach((v, i) => expect(values[i]).toBeCloseTo(v, 3));
      for (const value of [operand, ...results]) value.release();
    }
    expect(live()).toBe(before);
  });
});

describe("random bits", () => {
  compares("are those of the built-in engine", (same) => {
    const keys = new NDArray(Uint32Array.from([7, 4000000000, 1, 2]), [2, 2], "uint32");
    same("threefry", [keys], { shape: [3, 50] });
    same("randomBits", [keys], { shape: [1001] });
  });
});
