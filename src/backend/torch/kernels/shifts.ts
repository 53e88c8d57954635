import { type DType, dtypeBytes, isInteger, isUnsigned } from "../../../core/dtype.js";
import { isDisguised, narrowed, scalarType, converted, storedAs, widened } from "../storage.js";
import type { Kernel, Operand, Ref, Torch, TorchKernels } from "../torch.js";

/** Widest shift that says something about a 32-bit number. */
const MAX = 31;

/** Where a shift stays below 32 bits; null where it is known to. */
function inRange(torch: Torch, y: Operand): Ref | null {
  if (y.constant !== null && y.constant >= 0 && y.constant <= MAX) return null;
  const by = widened(torch, y.ref, y.dtype);
  return torch.call("logical_and", torch.call("ge.Scalar", by, 0), torch.call("le.Scalar", by, MAX));
}
const within = (torch: Torch, y: Operand): Ref => torch.call("clamp", widened(torch, y.ref, y.dtype), 0, MAX);

/** Stored integers as int64: with their sign, or without one. */
function long(torch: Torch, x: Ref, dtype: DType, signed: boolean): Ref {
  const wide = converted(torch, x, scalarType.int64);
  if (isUnsigned(dtype) ? !signed && !isDisguised(dtype) : signed) return wide;
  const bits = 8 * dtypeBytes(dtype);
  const plain = torch.call("bitwise_and.Scalar", wide, 2 ** bits - 1);
  if (!signed) return plain;
  const shift = 64 - bits;
  return torch.call(
    "bitwise_right_shift.Tensor_Scalar",
    torch.call("bitwise_left_shift.Tensor_Scalar", plain, shift),
    shift,
  );
}

const shift =
  (op: "bitwise_left_shift" | "bitwise_right_shift", signed: boolean): Kernel =>
  (torch, [x, y], _, [spec]) => {
    const { dtype } = x!;
    if (!isInteger(dtype)) return null;
    const wide = long(torch, x!.ref, dtype, signed);
    const valid = inRange(torch, y!);
    if (valid === null) {
      const result = torch.call(`${op}.Tensor_Scalar`, wide, y!.constant);
      return [narrowed(torch, result, spec!.dtype)];
    }
    const shifted = torch.call(`${op}.Tensor`, wide, within(torch, y!));
    // Arithmetic shifts by too much leave the sign, the others nothing.
    const beyond = signed ? torch.call("bitwise_right_shift.Tensor_Scalar", wide, MAX) : null;
    const result = beyond
      ? torch.call("where.self", valid, shifted, beyond)
      : torch.call("where.ScalarOther", valid, shifted, 0);
    return [converted(torch, result, storedAs(spec!.dtype))];
  };

/** The bits that a right shift of 32-bit words by a known number leaves, without widening them. */
const logicalRight: Kernel = (torch, inputs, attributes, outputs) => {
  const [x, y] = inputs;
  const by = y!.constant;
  if (dtypeBytes(x!.dtype) === 4 && isInteger(x!.dtype) && by !== null && by > 0 && by <= MAX) {
    const filled = torch.call("bitwise_right_shift.Tensor_Scalar", x!.ref, by);
    return [torch.call("bitwise_and.Scalar", filled, 2 ** (32 - by) - 1)];
  }
  return shift("bitwise_right_shift", false)(torch, inputs, attributes, outputs);
};
const left: Kernel = (torch, inputs, attributes, outputs) => {
  const [x, y] = inputs;
  const by = y!.constant;
  if (dtypeBytes(x!.dtype) === 4 && isInteger(x!.dtype) && by !== null && by >= 0 && by <= MAX)
    return [torch.call("bitwise_left_shift.Tensor_Scalar", x!.ref, by)];
  return shift("bitwise_left_shift", false)(torch, inputs, attributes, outputs);
};

export const shiftKernels = {
  shiftLeft: left,
  shiftRightLogical: logicalRight,
  shiftRightArithmetic: shift("bitwise_right_shift", true),
} satisfies TorchKernels;
