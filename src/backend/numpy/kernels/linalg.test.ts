import { describe, expect, it } from "vitest";
import { NDArray } from "../../../core/ndarray.js";
import { linalgKernels } from "./linalg.js";

const spec = (shape: readonly number[], dtype: "float32" | "int32" = "float32") => ({ shape, dtype });
const pair = NDArray.from(
  [
    [
      [4, 2],
      [2, 3],
    ],
    [
      [1, 2],
      [2, 1],
    ],
  ],
  "float32",
);

describe("linear algebra", () => {
  it("factors each matrix of a stack; NaN where one is not positive definite", () => {
    const [l] = linalgKernels.cholesky([pair], {}, [spec([2, 2, 2])]);
    expect(l!.toArray()).toEqual([
      [
        [2, 0],
        [1, Math.fround(Math.SQRT2)],
      ],
      [
        [NaN, NaN],
        [NaN, NaN],
      ],
    ]);
  });

  it("pivots as LAPACK does", () => {
    const x = NDArray.from(
      [
        [1, 2, 3],
        [4, 5, 6],
        [7, 8, 10],
      ],
      "float32",
    );
    const [packed, pivots, permutation] = linalgKernels.lu([x], {}, [
      spec([3, 3]),
      spec([3], "int32"),
      spec([3], "int32"),
    ]);
    expect(pivots!.toArray()).toEqual([2, 2, 2]);
    expect(permutation!.toArray()).toEqual([2, 0, 1]);
    expect(packed!.at(0, 0)).toBe(7);
    expect(packed!.at(1, 0)).toBeCloseTo(1 / 7, 6);
  });

  it("solves triangular systems, transposed and with unit diagonal", () => {
    const a = NDArray.from(
      [
        [2, 99],
        [3, 4],
      ],
      "float32",
    );
    const b = NDArray.from([[2], [11]], "float32");
    const solve = (transpose: boolean, unitDiagonal: boolean): unknown =>
      linalgKernels.triangularSolve([a, b], { lower: true, transpose, unitDiagonal }, [spec([2, 1])])[0]!.toArray();
    expect(solve(false, false)).toEqual([[1], [2]]);
    expect(solve(false, true)).toEqual([[2], [5]]);
    expect(solve(true, false)).toEqual([[-3.125], [2.75]]);
  });

  it("gives back the matrix from its factors", () => {
    const x = NDArray.from(
      [
        [1, 2],
        [3, 4],
        [5, 7],
      ],
      "float32",
    );
    const times = (a: NDArray, b: NDArray): number[] => {
      const out: number[] = [];
      for (let i = 0; i < a.shape[0]!; i++)
        for (let j = 0; j < b.shape[1]!; j++) {
          let sum = 0;
          for (let k = 0; k < b.shape[0]!; k++) sum += Number(a.at(i, k)) * Number(b.at(k, j));
          out.push(sum);
        }
      return out;
    };
    const close = (got: number[]): void => got.forEach((v, i) => expect(v).toBeCloseTo([...x.numbers()][i]!, 4));
    const [q, r] = linalgKernels.qr([x], { complete: false }, [spec([3, 2]), spec([2, 2])]);
    close(times(q!, r!));
    expect(Number(r!.at(0, 0))).toBeCloseTo(-Math.sqrt(35), 4);
    const [u, s, vt] = linalgKernels.svd([x], { fullMatrices: false }, [spec([3, 2]), spec([2]), spec([2, 2])]);
    const scaled = NDArray.from(
      [
        [Number(u!.at(0, 0)) * Number(s!.at(0)), Number(u!.at(0, 1)) * Number(s!.at(1))],
        [Number(u!.at(1, 0)) * Number(s!.at(0)), Number(u!.at(1, 1)) * Number(s!.at(1))],
        [Number(u!.at(2, 0)) * Number(s!.at(0)), Number(u!.at(2, 1)) * Number(s!.at(1))],
      ],
      "float32",
    );
    close(times(scaled, vt!));
    const [w] = linalgKernels.eigh([pair], {}, [spec([2, 2]), spec([2, 2, 2])]);
    expect(Number(w!.at(1, 0))).toBeCloseTo(-1, 5);
    expect(Number(w!.at(1, 1))).toBeCloseTo(3, 5);
    const rotation = NDArray.from(
      [
        [0, -1],
        [1, 0],
      ],
      "float32",
    );
    const [re, im] = linalgKernels.eig([rotation], {}, [spec([2]), spec([2]), spec([2, 2]), spec([2, 2])]);
    expect([...re!.numbers()].map((v) => Math.abs(v))).toEqual([0, 0]);
    expect([...im!.numbers()].sort()).toEqual([-1, 1]);
  });
});
