import type { TorchKernels } from "../torch.js";

/** Random bits by this package's own ops, since ATen draws others; keys are uint32, whose bits are stored as int32. */
export const randomKernels = {
  threefry: (torch, [key], { shape }) =>
    key!.dtype === "uint32" ? torch.callMany("keras::threefry2x32", 2, key!.ref, shape) : null,
  randomBits: (torch, [key], { shape }) =>
    key!.dtype === "uint32" ? [torch.call("keras::random_bits", key!.ref, shape)] : null,
} satisfies TorchKernels;
