import type { Tensor } from "../core/tensor.js";
import { definePrimitive, sameDType, showShape, type PrimitiveFunction } from "./define.js";
import { transpose } from "./movement.js";

export interface DotAttributes {
  /** Axes of x and of y that are multiplied and summed, pairwise. */
  readonly contract: readonly [readonly number[], readonly number[]];
  /** Axes of x and of y that run side by side, pairwise; they lead the result. */
  readonly batch: readonly [readonly number[], readonly number[]];
}

const free = (rank: number, contract: readonly number[], batch: readonly number[]): number[] =>
  Array.from({ length: rank }, (_, i) => i).filter((i) => !contract.includes(i) && !batch.includes(i));
const order = (permutation: readonly number[]): number[] => permutation.map((_, i) => permutation.indexOf(i));

/** General tensor contraction; the result has the batch axes, then the free axes of x, then those of y. */
export const dot: PrimitiveFunction<[x: Tensor, y: Tensor, attributes: DotAttributes], Tensor, DotAttributes> =
  definePrimitive(
    {
      name: "dot",
      infer: ([x, y], { contract, batch }: DotAttributes) => {
        const dtype = sameDType("dot", [x!, y!]);
        for (const [ax, ay] of [contract, batch]) {
          ax.forEach((i, n) => {
            const [p, q] = [x!.shape[i]!, y!.shape[ay[n]!]!];
            if (p !== q && !Number.isNaN(p) && !Number.isNaN(q))
              throw new RangeError(
                `dot: shapes ${showShape(x!.shape)} and ${showShape(y!.shape)} differ where they meet: axis ${i} has ${p}, axis ${ay[n]!} has ${q}.`,
              );
          });
        }
        const shape = [
          ...batch[0].map((i, n) => (Number.isNaN(x!.shape[i]!) ? y!.shape[batch[1][n]!]! : x!.shape[i]!)),
          ...free(x!.shape.length, contract[0], batch[0]).map((i) => x!.shape[i]!),
          ...free(y!.shape.length, contract[1], batch[1]).map((i) => y!.shape[i]!),
        ];
        return [{ shape, dtype }];
      },
      gradient: ([g], { inputs: [x, y], attributes: { contract, batch }, needed }) => {
        const nb = batch[0].length;
        const lead = batch[0].map((_, i) => i);
        const freeX = free(x!.shape.length, contract[0], batch[0]);
        const freeY = free(y!.shape.length, contract[1], batch[1]);
        const axesX = freeX.map((_, i) => nb + i);
        const axesY = freeY.map((_, i) => nb + freeX.length + i);
        let dx: Tensor | null = null;
        let dy: Tensor | null = null;
        if (needed[0]) {
          // g · y over y's free axes: batch, free axes of x, then y's contracted axes in y's order.
          const contracted = [...contract[1]].sort((a, b) => a - b).map((i) => contract[0][contract[1].indexOf(i)]!);
          dx = transpose(
            dot(g!, y!, { contract: [axesY, freeY], batch: [lead, batch[1]] }),
            order([...batch[0], ...freeX, ...contracted]),
          );
        }
        if (needed[1]) {
          const contracted = [...contract[0]].sort((a, b) => a - b).map((i) => contract[1][contract[0].indexOf(i)]!);
          dy = transpose(
            dot(x!, g!, { contract: [freeX, axesX], batch: [batch[0], lead] }),
            order([...batch[1], ...contracted, ...freeY]),
          );
        }
        return [dx, dy];
      },
    },
    (apply, x: Tensor, y: Tensor, attributes: DotAttributes): Tensor => apply([x, y], attributes)[0]!,
  );
