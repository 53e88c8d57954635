import { NDArray, sizeOf } from "../../../core/ndarray.js";
import type { DotAttributes } from "../../../primitives/index.js";
import type { Kernels } from "../../backend.js";
import { accelerator } from "../accelerator.js";
import { multiplyTransposed, worthCopying } from "./gemm.js";
import { onHeap } from "./on-heap.js";
import { bilinear, fromWorkingValues, workingValues, workingZeros } from "./working-values.js";

/** A contraction seen as a stack of matrix products c[m, n] = a[m, k] · b[k, n]. */
export interface DotPlan {
  readonly batch: number;
  readonly m: number;
  readonly n: number;
  readonly k: number;
  /** Axes of x in the order batch, free, contracted. */
  readonly x: readonly number[];
  /** Axes of y in the order batch, free, contracted. */
  readonly y: readonly number[];
}

/** Sorts the axes of both operands into those of a stack of matrix products. */
export function planDot(xShape: readonly number[], yShape: readonly number[], attributes: DotAttributes): DotPlan {
  const { contract, batch } = attributes;
  const free = (shape: readonly number[], side: 0 | 1): number[] =>
    [...shape.keys()].filter((i) => !contract[side].includes(i) && !batch[side].includes(i));
  const [freeX, freeY] = [free(xShape, 0), free(yShape, 1)];
  const extent = (shape: readonly number[], axes: readonly number[]): number => sizeOf(axes.map((i) => shape[i]!));
  return {
    batch: extent(xShape, batch[0]),
    m: extent(xShape, freeX),
    n: extent(yShape, freeY),
    k: extent(xShape, contract[0]),
    x: [...batch[0], ...freeX, ...contract[0]],
    y: [...batch[1], ...freeY, ...contract[1]],
  };
}

/** General contraction: both operands are laid out as [batch, free, contracted] and multiplied as matrices. */
function dot(x: NDArray, y: NDArray, attributes: DotAttributes, shape: readonly number[]): NDArray {
  const { batch, m, n, k, x: orderX, y: orderY } = planDot(x.shape, y.shape, attributes);
  const wasm = x.dtype === "float32" && batch * m * n * k >= worthCopying ? accelerator() : null;
  if (wasm) {
    const operands = [x.transpose(orderX), y.transpose(orderY)];
    const result = onHeap(wasm, operands, batch * m * n, ([pa, pb], pc) => {
      const a = { ptr: pa!, rowStride: k, colStride: 1 };
      const b = { ptr: pb!, rowStride: 1, colStride: k };
      wasm.gemmBatched(batch, m, n, k, a, m * k, b, n * k, pc, n, m * n);
    });
    return new NDArray(result, shape, "float32");
  }
  const a = workingValues(x.transpose(orderX));
  const b = workingValues(y.transpose(orderY));
  const c = workingZeros(x.dtype, batch * m * n);
  for (let i = 0; i < batch; i++)
    multiplyTransposed({ m, n, k, a, b, c, aOffset: i * m * k, bOffset: i * n * k, cOffset: i * m * n });
  return fromWorkingValues(c, shape, x.dtype);
}

export const dotKernels = {
  dot: ([x, y], attributes, [output]) => [bilinear((a, b) => dot(a, b, attributes, output!.shape))(x!, y!)],
} satisfies Pick<Kernels<NDArray>, "dot">;
