import { type DType, dtypeBytes, integerBounds, isComplex, isFloat, isInteger } from "../../../core/dtype.js";
import { NDArray } from "../../../core/ndarray.js";
import { currentDevice } from "../device.js";
import { isAtLeast } from "../library.js";
import { converted, fillArgument, isDisguised, rounded, scalarType, single, storedAs, widened } from "../storage.js";
import { isFloat8, type Operand, type Ref, type Torch, type TorchKernels } from "../torch.js";

/** The device on which a tensor is made, as creating ops take it. */
export const device = (): string | undefined => {
  const name = currentDevice();
  return name === "cpu" ? undefined : name;
};

/** A tensor of stored elements of `dtype` that all have `value`. */
export const filled = (torch: Torch, shape: readonly number[], value: number, dtype: DType): Ref =>
  torch.call("full", shape, fillValue(value, dtype), storedAs(dtype), undefined, device());
/** The same, to be written to. */
export const freshlyFilled = (torch: Torch, shape: readonly number[], value: number, dtype: DType): Ref =>
  torch.fresh("full", shape, fillValue(value, dtype), storedAs(dtype), undefined, device());

/** What fills stored elements; of float8 the bits. */
export const fillValue = (value: number, dtype: DType): number | boolean =>
  isFloat8(dtype) ? (NDArray.from(Number(value), dtype).data[0] as number) : fillArgument(value, dtype);

/** 0, 1, 2... as int64 or another type. */
export const counted = (torch: Torch, length: number, type: number = scalarType.int64): Ref =>
  torch.call("arange", length, type, undefined, device());

const iota: TorchKernels["iota"] = (torch, _, { shape, axis, dtype }) => {
  const length = shape[axis]!;
  if (dtype === "bool" || isFloat8(dtype)) return null;
  const row =
    isFloat(dtype) || isComplex(dtype)
      ? converted(torch, counted(torch, length, scalarType.float32), storedAs(dtype))
      : converted(torch, counted(torch, length), storedAs(dtype));
  const column = torch.call(
    "reshape",
    row,
    shape.map((d, i) => (i === axis ? d : 1)),
  );
  return [torch.call("expand", column, shape)];
};

/** Floats truncated to integers as XLA does it: limited to the range, with 0 for NaN. */
function truncated(torch: Torch, x: Ref, dtype: DType): Ref {
  const [lowest, highest] = integerBounds[dtype]!;
  // Single precision has no 2³¹ - 1 and no 2³² - 1.
  const wide = dtypeBytes(dtype) === 4 ? converted(torch, x, scalarType.float64) : x;
  const limited = torch.call("clamp", torch.call("nan_to_num", wide, 0, highest, lowest), lowest, highest);
  return converted(torch, converted(torch, limited, scalarType.int64), storedAs(dtype));
}

/** Whether libtorch has float8 types. */
const hasFloat8 = (): boolean => isAtLeast(2, 1);
type Float8 = "float8_e5m2" | "float8_e4m3fn";
const decoded = (torch: Torch, x: Ref, dtype: DType): Ref =>
  converted(torch, torch.call("view.dtype", x, scalarType[dtype as Float8]), scalarType.float32);
function encoded(torch: Torch, x: Ref, dtype: DType): Ref {
  // Magnitudes that round above 448 are NaN in the type without infinities; some versions of libtorch give 448.
  const fits = dtype === "float8_e4m3fn" ? torch.call("le.Scalar", torch.call("abs", x), 464) : null;
  const inside = fits ? torch.call("where.ScalarOther", fits, x, NaN) : x;
  return torch.call("view.dtype", converted(torch, inside, scalarType[dtype as Float8]), scalarType.uint8);
}

function cast(torch: Torch, { ref, dtype: from }: Operand, to: DType): Ref {
  if (isFloat8(from))
    return to === "bool" ? nonzero(torch, decoded(torch, ref, from)) : fromSingle(torch, decoded(torch, ref, from), to);
  if (to === "bool") return nonzero(torch, ref);
  if (isComplex(to)) return isComplex(from) ? ref : converted(torch, plainNumbers(torch, ref, from), storedAs(to));
  if (isComplex(from)) return fromSingle(torch, torch.call("real", ref), to);
  if (isFloat(from)) {
    if (isFloat(to) && !isFloat8(to)) return converted(torch, ref, storedAs(to));
    return fromSingle(torch, single(torch, ref, from), to);
  }
  if (isInteger(to))
    return storedAs(from) === storedAs(to)
      ? ref
      : converted(torch, isNarrower(from, to) ? plainNumbers(torch, ref, from) : ref, storedAs(to));
  return fromSingle(torch, converted(torch, plainNumbers(torch, ref, from), scalarType.float32), to);
}
const nonzero = (torch: Torch, x: Ref): Ref => torch.call("ne.Scalar", x, 0);
const plainNumbers = (torch: Torch, x: Ref, dtype: DType): Ref => (isDisguised(dtype) ? widened(torch, x, dtype) : x);
const isNarrower = (from: DType, to: DType): boolean => dtypeBytes(from) < dtypeBytes(to);
function fromSingle(torch: Torch, x: Ref, to: DType): Ref {
  if (isFloat8(to)) return encoded(torch, x, to);
  if (isInteger(to)) return truncated(torch, x, to);
  return isComplex(to) ? converted(torch, x, storedAs(to)) : rounded(torch, x, to);
}

const castKernel: TorchKernels["cast"] = (torch, [x], { dtype }) =>
  (isFloat8(dtype) || isFloat8(x!.dtype)) && !hasFloat8() ? null : [cast(torch, x!, dtype)];

export const createKernels = {
  full: (torch, _, { shape, value, dtype }) => [filled(torch, shape, value, dtype)],
  iota,
  cast: castKernel,
  bitcast: (torch, [x], { dtype }) => [
    storedAs(x!.dtype) === storedAs(dtype) ? x!.ref : torch.call("view.dtype", x!.ref, storedAs(dtype)),
  ],
  stopGradient: (_, [x]) => [x!.ref],
} satisfies TorchKernels;
