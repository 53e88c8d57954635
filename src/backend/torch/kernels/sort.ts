import { dtypeBytes, isComplex, isFloat } from "../../../core/dtype.js";
import { sizeOf } from "../../../core/ndarray.js";
import type { SortAttributes } from "../../../primitives/index.js";
import { converted, isDisguised, narrowed, ordered, scalarType, single } from "../storage.js";
import { isFloat8, type Kernel, type Operand, type Ref, type Torch, type TorchKernels } from "../torch.js";

const isDone = ({ dtype, shape }: Operand): boolean => !isComplex(dtype) && !isFloat8(dtype) && sizeOf(shape) > 0;

/** Values and positions, equal ones in their order. NaN is above everything. */
const stably = (torch: Torch, x: Ref, axis: number, descending: boolean): readonly [Ref, Ref] =>
  torch.callMany("sort.stable", 2, x, true, axis, descending) as readonly [Ref, Ref];
const int32 = (torch: Torch, x: Ref): Ref => converted(torch, x, scalarType.int32);

const sort: Kernel<SortAttributes> = (torch, [x], { axis, descending }) => {
  if (!isDone(x!)) return null;
  const [values] = stably(torch, ordered(torch, x!.ref, x!.dtype), axis, descending);
  return [isDisguised(x!.dtype) ? narrowed(torch, values, x!.dtype) : values];
};
const argSort: Kernel<SortAttributes> = (torch, [x], { axis, descending }) =>
  isDone(x!) ? [int32(torch, stably(torch, ordered(torch, x!.ref, x!.dtype), axis, descending)[1])] : null;

/** Integers in the total order of IEEE 754, in which 0 is above -0: the bits, those of negative numbers turned around. */
function totalOrder(torch: Torch, { ref, dtype }: Operand): Ref {
  if (!isFloat(dtype)) return ordered(torch, ref, dtype);
  const isWord = dtypeBytes(dtype) === 4;
  const bits = torch.call("view.dtype", ref, isWord ? scalarType.int32 : scalarType.int16);
  const turned = torch.call("bitwise_xor.Scalar", bits, isWord ? 0x7fffffff : 0x7fff);
  return torch.call("where.self", torch.call("lt.Scalar", bits, 0), turned, bits);
}
const topK: NonNullable<TorchKernels["topK"]> = (torch, [x], { k }) => {
  if (!isDone(x!)) return null;
  const [, sorted] = stably(torch, totalOrder(torch, x!), -1, true);
  const places = torch.call("narrow", sorted, -1, 0, k);
  return [torch.call("gather", x!.ref, -1, places), int32(torch, places)];
};

const searchSorted: NonNullable<TorchKernels["searchSorted"]> = (torch, [sorted, values], { side }) => {
  const { dtype } = sorted!;
  if (!isDone(sorted!) || !isDone(values!) || values!.dtype !== dtype || dtype === "bool") return null;
  const [row, wanted] = [sorted!, values!].map(({ ref }) => single(torch, ordered(torch, ref, dtype), dtype));
  return [torch.call("searchsorted.Tensor", row!, wanted!, true, side === "right")];
};

export const sortKernels = { sort, argSort, topK, searchSorted } satisfies TorchKernels;
