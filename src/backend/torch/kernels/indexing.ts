import { type DType, isComplex, isFloat } from "../../../core/dtype.js";
import { rowMajorStrides, sizeOf } from "../../../core/ndarray.js";
import type { OutOfRange, TakeAttributes } from "../../../primitives/index.js";
import { converted, fillArgument, scalarType, widened } from "../storage.js";
import { isFloat8, type Kernel, type Operand, type Ref, type Torch, type TorchKernels } from "../torch.js";

/** What is read outside: NaN, the lowest signed or highest unsigned integer, true; or zero. */
const outside: Partial<Record<DType, number>> = {
  bool: 1,
  uint8: 0xff,
  uint16: 0xffff,
  uint32: 0xffffffff,
  int8: -128,
  int16: -32768,
  int32: -2147483648,
};
const outsideOf = (dtype: DType, mode: OutOfRange): number | boolean => {
  if (mode !== "fill") return fillArgument(0, dtype);
  return isFloat(dtype) || isComplex(dtype) ? NaN : fillArgument(outside[dtype]!, dtype);
};

/** Indices that are all inside, and which of them were. */
export interface Places {
  readonly safe: Ref;
  /** Null where those outside were moved in and count as inside. */
  readonly valid: Ref | null;
}
const indexValues = (torch: Torch, x: Operand): Ref => (x.dtype === "int32" ? x.ref : widened(torch, x.ref, x.dtype));

export function placesOf(torch: Torch, indices: Ref, dim: number, mode: OutOfRange): Places {
  const safe = torch.call("clamp", indices, 0, dim - 1);
  return { safe, valid: mode === "clip" ? null : torch.call("eq.Tensor", safe, indices) };
}

/** `x` where `valid` holds, else the value for outside. */
function masked(torch: Torch, x: Ref, valid: Ref | null, dtype: DType, mode: OutOfRange): Ref {
  if (valid === null) return x;
  return torch.call("where.ScalarOther", valid, x, outsideOf(dtype, mode));
}
/** Whether the kernels here do it: a value for outside must exist, and there must be something to read. */
const isReadable = (x: Operand, mode: OutOfRange): boolean =>
  x.shape.every((d) => d > 0) && !(isFloat8(x.dtype) && mode === "fill");

const take: Kernel<TakeAttributes> = (torch, [x, indices], { axis, mode }, [spec]) => {
  if (!isReadable(x!, mode)) return null;
  const { shape, dtype } = x!;
  const count = sizeOf(indices!.shape);
  const flat = torch.call("reshape", indexValues(torch, indices!), [count]);
  const { safe, valid } = placesOf(torch, flat, shape[axis]!, mode);
  const taken = torch.call("index_select", x!.ref, axis, safe);
  const mask =
    valid &&
    torch.call(
      "reshape",
      valid,
      shape.slice(axis).map((_, i) => (i === 0 ? count : 1)),
    );
  return [torch.call("reshape", masked(torch, taken, mask, dtype, mode), spec!.shape)];
};

const takeAlongAxis: Kernel<TakeAttributes> = (torch, [x, indices], { axis, mode }) => {
  if (!isReadable(x!, mode)) return null;
  const { safe, valid } = placesOf(torch, indexValues(torch, indices!), x!.shape[axis]!, mode);
  const taken = torch.call("gather", x!.ref, axis, converted(torch, safe, scalarType.int64));
  return [masked(torch, taken, valid, x!.dtype, mode)];
};

/** For each vector in the rows of `indices`, the number of the slice it names among the leading axes, as one flat list. */
export function linearPlaces(torch: Torch, indices: Operand, dims: readonly number[], mode: OutOfRange): Places {
  const count = sizeOf(indices.shape.slice(0, -1));
  const rows = torch.call("reshape", indexValues(torch, indices), [count, dims.length]);
  const steps = rowMajorStrides(dims);
  let at: Ref | null = null;
  let valid: Ref | null = null;
  dims.forEach((dim, axis) => {
    const column = torch.call("select.int", rows, 1, axis);
    const places = placesOf(torch, column, dim, mode);
    const term = torch.call("mul.Scalar", converted(torch, places.safe, scalarType.int64), steps[axis]!);
    at = at === null ? term : torch.call("add.Tensor", at, term);
    valid = valid === null || places.valid === null ? places.valid : torch.call("logical_and", valid, places.valid);
  });
  return { safe: at!, valid };
}

const gather: NonNullable<TorchKernels["gather"]> = (torch, [x, indices], { mode }, [spec]) => {
  const depth = indices!.shape.at(-1)!;
  if (depth === 0 || !isReadable(x!, mode)) return null;
  const dims = x!.shape.slice(0, depth);
  const { safe, valid } = linearPlaces(torch, indices!, dims, mode);
  const rows = torch.call("reshape", x!.ref, [sizeOf(dims), ...x!.shape.slice(depth)]);
  const taken = torch.call("index_select", rows, 0, safe);
  const count = sizeOf(indices!.shape.slice(0, -1));
  const mask = valid && torch.call("reshape", valid, [count, ...x!.shape.slice(depth).map(() => 1)]);
  return [torch.call("reshape", masked(torch, taken, mask, x!.dtype, mode), spec!.shape)];
};

export const indexingKernels = { take, takeAlongAxis, gather } satisfies TorchKernels;
export { indexValues };
