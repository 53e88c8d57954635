import type { DType, Shape } from "../../../core/dtype.js";
import { sizeOf } from "../../../core/ndarray.js";
import type { DotAttributes } from "../../../primitives/index.js";
import { currentDevice } from "../device.js";
import { isAtLeast } from "../library.js";
import { rounded, single } from "../storage.js";
import { isFloat8, type Kernel, type Operand, type Ref, type Torch, type TorchKernels } from "../torch.js";

const rest = (rank: number, taken: readonly number[]): number[] =>
  Array.from({ length: rank }, (_, i) => i).filter((i) => !taken.includes(i));
const sizes = ({ shape }: Operand, axes: readonly number[]): number => sizeOf(axes.map((i) => shape[i]!));

/** A view where the strides allow it: axes in the given order, then under another shape. */
function arranged(torch: Torch, x: Ref, sizes: Shape, order: readonly number[], shape: Shape): Ref {
  const turned = order.every((axis, i) => axis === i) ? x : torch.call("permute", x, order);
  const isThere = order.length === shape.length && shape.every((d, i) => d === sizes[order[i]!]);
  return isThere ? turned : torch.call("reshape", turned, shape);
}

/** Whether products are computed in single precision and rounded: older versions add halves up in their own precision. */
const isWidened = (dtype: DType): boolean => dtype === "float16" || (dtype === "bfloat16" && !isAtLeast(2, 1));

/** Columns, and terms of a sum, below which this package's own product is the faster one. */
const NARROW = 16;
/** Elements of a result up to which a sum of few terms is limited by computing rather than by memory. */
const FEW_RESULTS = 1 << 17;

/** Whether this package's own product is used for [m, k] by [k, n]: one that is narrow, as in a classifier's last layer. */
const isOwn = (dtype: DType, m: number, n: number, k: number): boolean =>
  dtype === "float32" &&
  currentDevice() === "cpu" &&
  m >= NARROW &&
  n >= 2 &&
  k >= 4 &&
  (n < NARROW || (k < NARROW && m * n <= FEW_RESULTS));

/** One product of matrices, or of stacks of them. */
const dot: Kernel<DotAttributes> = (torch, [x, y], { contract, batch }, [spec]) => {
  const { dtype } = x!;
  if (dtype === "bool" || isFloat8(dtype)) return null;
  const freeX = rest(x!.shape.length, [...contract[0], ...batch[0]]);
  const freeY = rest(y!.shape.length, [...contract[1], ...batch[1]]);
  const [m, n, k] = [sizes(x!, freeX), sizes(y!, freeY), sizes(x!, contract[0])];
  const lead = batch[0].length === 0 ? [] : [sizes(x!, batch[0])];
  const wide = (operand: Operand): Ref => (isWidened(dtype) ? single(torch, operand.ref, dtype) : operand.ref);
  const a = arranged(torch, wide(x!), x!.shape, [...batch[0], ...freeX, ...contract[0]], [...lead, m, k]);
  const b = arranged(torch, wide(y!), y!.shape, [...batch[1], ...contract[1], ...freeY], [...lead, k, n]);
  const product = torch.call(lead.length > 0 ? "bmm" : isOwn(dtype, m, n, k) ? "keras::mm" : "mm", a, b);
  const isThere = spec!.shape.length === lead.length + 2 && freeX.length === 1 && freeY.length === 1;
  const result = isThere ? product : torch.call("reshape", product, spec!.shape);
  return [isWidened(dtype) ? rounded(torch, result, dtype) : result];
};

export const dotKernels = { dot } satisfies TorchKernels;
