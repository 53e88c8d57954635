import type { DotAttributes } from "../../../primitives/index.js";
import { type A, matmul, reshape, sizeOf, transpose } from "../ops.js";
import { type Lowerings, of } from "./lowering.js";

/** A general contraction as one product of stacks of matrices. */
export function dot(x: A, y: A, { contract, batch }: DotAttributes): A {
  const free = (rank: number, side: 0 | 1): number[] =>
    Array.from({ length: rank }, (_, i) => i).filter((i) => !contract[side].includes(i) && !batch[side].includes(i));
  const [freeX, freeY] = [free(x.shape.length, 0), free(y.shape.length, 1)];
  const dims = (t: A, axes: readonly number[]): number[] => axes.map((i) => t.shape[i]!);
  const stack = sizeOf(dims(x, batch[0]));
  const lead = batch[0].length > 0 ? [stack] : [];
  const k = sizeOf(dims(x, contract[0]));
  const a = reshape(transpose(x, [...batch[0], ...freeX, ...contract[0]]), [...lead, sizeOf(dims(x, freeX)), k]);
  const b = reshape(transpose(y, [...batch[1], ...contract[1], ...freeY]), [...lead, k, sizeOf(dims(y, freeY))]);
  const turned = freeY.length > 0 && contract[1].includes(y.shape.length - 1);
  return reshape(matmul(a, b, turned), [...dims(x, batch[0]), ...dims(x, freeX), ...dims(y, freeY)]);
}

export const dotLowerings = {
  dot: { when: of("float32", "int32", "uint32"), lower: ([x, y], attributes) => [dot(x!, y!, attributes)] },
} satisfies Lowerings;
