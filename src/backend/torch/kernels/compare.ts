import { isComplex } from "../../../core/dtype.js";
import { isDisguised, ordered } from "../storage.js";
import { isFloat8, type Kernel, type TorchKernels } from "../torch.js";

const mirrored: Readonly<Record<string, string>> = { eq: "eq", ne: "ne", lt: "gt", le: "ge", gt: "lt", ge: "le" };

const comparison =
  (op: "eq" | "ne" | "lt" | "le" | "gt" | "ge"): Kernel =>
  (torch, [x, y], _, [spec]) => {
    const { dtype } = x!;
    const isOrder = op !== "eq" && op !== "ne";
    if (isFloat8(dtype) || (isOrder && isComplex(dtype))) return null;
    if (!isDisguised(dtype) && !isComplex(dtype) && dtype !== "bool") {
      const rank = spec!.shape.length;
      if (y!.constant !== null && x!.shape.length === rank) return [torch.call(`${op}.Scalar`, x!.ref, y!.constant)];
      if (x!.constant !== null && y!.shape.length === rank)
        return [torch.call(`${mirrored[op]!}.Scalar`, y!.ref, x!.constant)];
    }
    if (!isOrder) return [torch.call(`${op}.Tensor`, x!.ref, y!.ref)];
    return [torch.call(`${op}.Tensor`, ordered(torch, x!.ref, dtype), ordered(torch, y!.ref, dtype))];
  };
const logical =
  (op: string): Kernel =>
  (torch, [x, y]) =>
    x!.dtype === "bool" ? [torch.call(op, x!.ref, y!.ref)] : null;

export const compareKernels = {
  equal: comparison("eq"),
  notEqual: comparison("ne"),
  less: comparison("lt"),
  lessEqual: comparison("le"),
  greater: comparison("gt"),
  greaterEqual: comparison("ge"),
  logicalAnd: logical("logical_and"),
  logicalOr: logical("logical_or"),
  logicalXor: logical("logical_xor"),
  select: (torch, [condition, x, y]) => [torch.call("where.self", condition!.ref, x!.ref, y!.ref)],
} satisfies TorchKernels;
