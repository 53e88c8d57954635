import { describe, expect, it } from "vitest";
import "../backend/index.js";
import { tensor, type Tensor } from "../core/tensor.js";
import { PyFloat } from "../utils/py-float.js";
import { floorDivide, mod } from "./arithmetic.js";
import { complex } from "../primitives/index.js";
import { eye, tri } from "./creation.js";
import { arraySplit, repeat } from "./joining.js";
import { nanquantile, quantile } from "./quantiles.js";
import { takeAlongAxis } from "./selecting.js";
import { reshape } from "./shape.js";
import { inv } from "./solvers.js";
import { bincount, histogram, trapezoid } from "./statistics.js";
import { fmod } from "./transcendental.js";

const float = (value: number | number[]): Tensor => tensor(value, "float32");

// Expected values are those of Python Keras on JAX.
describe("at edges, ops do as Python Keras:", () => {
  it("floorDivide of floats does not round a quotient up first", async () => {
    const quotients = floorDivide(float([1, -1, 6.2, 3, -3, 7, -7]), float([0.1, Infinity, 0.2, 0, 0, 2, 2]));
    expect(await quotients.array()).toEqual([9, -1, 30, Infinity, -Infinity, 3, -4]);
  });
  it("the remainder of an integer by 0 is 0", async () => {
    for (const dtype of ["int32", "int8", "uint16"] as const) {
      const [x, y] = [tensor([5, 4, 3], dtype), tensor([0, 0, 2], dtype)];
      for (const of of [mod, fmod]) expect(await of(x, y).array()).toEqual([0, 0, 1]);
    }
    expect(await mod(float([5]), float([0])).array()).toEqual([NaN]);
  });
  it("a quantile half way between two values is, by the method nearest, the lower one", async () => {
    for (const of of [quantile, nanquantile]) {
      const middle = (x: number[]): Promise<unknown> => of(float(x), 0.5, { method: "nearest" }).array();
      expect(await middle([5, 0, 0, 2])).toBe(0);
      expect(await middle([5, 0, 0, 2, 7, 8, 9, 10])).toBe(5);
      expect(await of(float([1, 2, 3, 4]), [0.3, 0.2], { method: "nearest" }).array()).toEqual([2, 2]);
    }
  });
  it("repeat takes scalars with an axis, histogram without one", async () => {
    expect(await repeat(float(4), 2, { axis: 0 }).array()).toEqual([4, 4]);
    expect(await histogram(float(0.3), { bins: 4, range: [-2, 2] })[0].array()).toEqual([0, 0, 1, 0]);
    expect(() => histogram(fromRows(1, 2))).toThrow("a vector or a scalar");
  });
  it("bincount takes negative numbers as 0, each row its own", async () => {
    expect(await bincount(tensor([-1, 2, -3, 0], "int32")).array()).toEqual([3, 0, 1]);
    const rows = tensor(
      [
        [0, 1],
        [-1, 1],
      ],
      "int32",
    );
    expect(await bincount(rows).array()).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(await bincount(tensor([-2], "int32")).array()).toEqual([1]);
  });
  it("trapezoid promotes heights and points together", () => {
    const of = (y: "bfloat16" | "int8", x: "float16" | "bfloat16"): string =>
      trapezoid(tensor([1, 2], y), { x: tensor([0, 1], x) }).dtype;
    expect(of("bfloat16", "float16")).toBe("float32");
    expect(of("int8", "bfloat16")).toBe("bfloat16");
  });
});

describe("ops refuse", () => {
  it("sizes of matrices that are no integers >= 0", () => {
    expect(() => eye(-1)).toThrow("eye: sizes must be integers >= 0. Received: -1, M: null.");
    expect(() => eye(2, { M: new PyFloat(3) as unknown as number })).toThrow(TypeError);
    expect(() => tri(2.5)).toThrow(TypeError);
  });
  it("more than one dimension to infer", () => {
    expect(() => reshape(float(1), [-1, -1])).toThrow("only one dimension may be -1");
  });
  it("positions in arraySplit, and indices with axes in takeAlongAxis without an axis", () => {
    expect(() => arraySplit(float([1, 2, 3]), [1] as unknown as number)).toThrow("must be an integer");
    const indices = tensor([[0], [1]], "int32");
    expect(() => takeAlongAxis(float([1, 2]), indices)).toThrow("indices must be one");
  });
  it("complex matrices where only real ones are decomposed", () => {
    const z = complex(fromRows(1, 2), fromRows(3, 4));
    expect(() => inv(z)).toThrow("decomposes real matrices");
  });
});

const fromRows = (a: number, b: number): Tensor =>
  tensor(
    [
      [a, b],
      [b, -a],
    ],
    "float32",
  );
