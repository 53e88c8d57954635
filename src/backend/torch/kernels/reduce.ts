import { type DType, isComplex, isInteger, type TensorSpec } from "../../../core/dtype.js";
import { sizeOf } from "../../../core/ndarray.js";
import type { CumulativeAttributes, ReduceAttributes } from "../../../primitives/index.js";
import { currentDevice } from "../device.js";
import { converted, isDisguised, narrowed, ordered, rounded, scalarType, single } from "../storage.js";
import { isFloat8, isHalf, type Kernel, type Operand, type Ref, type Torch, type TorchKernels } from "../torch.js";

/** The type in which elements are added and multiplied: sums of integers are cut to their range at the end. */
const sumType = (dtype: DType): number =>
  isComplex(dtype) ? scalarType.complex64 : isInteger(dtype) ? scalarType.int64 : scalarType.float32;
const cut = (torch: Torch, x: Ref, dtype: DType): Ref =>
  isInteger(dtype) ? narrowed(torch, x, dtype) : rounded(torch, x, dtype);
const computes = (dtype: DType): boolean => dtype !== "bool" && !isFloat8(dtype);

/** Elements up to which sums are this package's own: larger ones are worth several threads. */
const LARGEST_SUM = 1 << 15;
/** Longest sums of single elements, which libtorch adds up in vectors. */
const LONGEST_SUM = 1 << 10;

/** Sizes before, in, and behind the axes of a small sum that one loop can do; else null. */
function smallSum({ dtype, shape }: Operand, axes: readonly number[]): readonly number[] | null {
  const size = sizeOf(shape);
  const first = Math.min(...axes);
  const last = Math.max(...axes);
  const fits = dtype === "float32" && currentDevice() === "cpu" && size > 0 && size <= LARGEST_SUM;
  if (!fits || last - first + 1 !== axes.length) return null;
  const sizes = [shape.slice(0, first), shape.slice(first, last + 1), shape.slice(last + 1)].map(sizeOf);
  return sizes[2]! > 1 || sizes[1]! <= LONGEST_SUM ? sizes : null;
}

const sum: Kernel<ReduceAttributes> = (torch, [x], { axes, keepdims }, [spec]) => {
  const { dtype, ref } = x!;
  if (!computes(dtype)) return null;
  if (axes.length === 0) return [ref];
  const small = smallSum(x!, axes);
  if (small) return [torch.call("keras::sum", ref, ...small, spec!.shape)];
  return [cut(torch, torch.call("sum.dim_IntList", ref, axes, keepdims, sumType(dtype)), dtype)];
};

/** The axes that are reduced as one at the end. */
function flattened(torch: Torch, { ref, shape }: Operand, axes: readonly number[]): Ref {
  if (axes.length === 1 && axes[0] === shape.length - 1) return ref;
  const rest = shape.map((_, i) => i).filter((i) => !axes.includes(i));
  const turned = torch.call("permute", ref, [...rest, ...axes]);
  return torch.call("reshape", turned, [...rest.map((i) => shape[i]!), sizeOf(axes.map((i) => shape[i]!))]);
}
const shaped = (torch: Torch, x: Ref, { shape }: TensorSpec): Ref => torch.call("reshape", x, shape);

const product: Kernel<ReduceAttributes> = (torch, [x], { axes }, [spec]) => {
  const { dtype, ref } = x!;
  if (!computes(dtype)) return null;
  if (axes.length === 0) return [ref];
  const wide = torch.call("prod.dim_int", flattened(torch, x!, axes), -1, false, sumType(dtype));
  return [cut(torch, shaped(torch, wide, spec!), dtype)];
};

const extreme =
  (op: "amax" | "amin"): Kernel<ReduceAttributes> =>
  (torch, [x], { axes, keepdims }) => {
    const { dtype, ref, shape } = x!;
    if (isComplex(dtype) || isFloat8(dtype) || axes.some((i) => shape[i] === 0)) return null;
    if (axes.length === 0) return [ref];
    const wide = torch.call(op, ordered(torch, ref, dtype), axes, keepdims);
    return [isDisguised(dtype) ? narrowed(torch, wide, dtype) : wide];
  };

const overBools =
  (op: "all" | "any"): Kernel<ReduceAttributes> =>
  (torch, [x], { axes }, [spec]) =>
    axes.length === 0
      ? [x!.ref]
      : [shaped(torch, torch.call(`${op}.dim`, flattened(torch, x!, axes), -1, false), spec!)];

const argExtreme =
  (op: "argmax" | "argmin"): Kernel<{ readonly axis: number }> =>
  (torch, [x], { axis }) => {
    const { dtype, ref, shape } = x!;
    if (isComplex(dtype) || isFloat8(dtype) || shape[axis] === 0) return null;
    const values = dtype === "bool" ? converted(torch, ref, scalarType.uint8) : ordered(torch, ref, dtype);
    return [converted(torch, torch.call(op, values, axis, false), scalarType.int32)];
  };

const cumulative =
  (op: "cumsum" | "cumprod"): Kernel<CumulativeAttributes> =>
  (torch, [x], { axis, reverse }) => {
    const { dtype, ref } = x!;
    if (!computes(dtype)) return null;
    const flip = (y: Ref): Ref => (reverse ? torch.call("flip", y, [axis]) : y);
    const wide = torch.call(op, flip(isHalf(dtype) ? single(torch, ref, dtype) : ref), axis, sumType(dtype));
    return [cut(torch, flip(wide), dtype)];
  };

export const reduceKernels = {
  sum,
  product,
  max: extreme("amax"),
  min: extreme("amin"),
  all: overBools("all"),
  any: overBools("any"),
  argMax: argExtreme("argmax"),
  argMin: argExtreme("argmin"),
  cumulativeSum: cumulative("cumsum"),
  cumulativeProduct: cumulative("cumprod"),
} satisfies TorchKernels;
