import type { TensorSpec } from "../../../core/dtype.js";
import type { ForeignAttributes } from "../../../primitives/foreign.js";
import { converted, storedAs } from "../storage.js";
import type { Operand, Ref, Torch, TorchKernels } from "../torch.js";

const refs = (xs: readonly Operand[]): Ref[] => xs.map(({ ref }) => ref);
/** TorchScript's integers have 64 bits. */
const stored = (torch: Torch, results: readonly Ref[], specs: readonly TensorSpec[]): Ref[] =>
  results.map((x, i) => (specs[i]!.dtype.startsWith("float") ? x : converted(torch, x, storedAs(specs[i]!.dtype))));

function split(operands: readonly Operand[], { parameters, buffers }: ForeignAttributes): Ref[][] {
  const first = 1 + parameters + buffers;
  return [operands.slice(1, 1 + parameters), operands.slice(1 + parameters, first), operands.slice(first)].map(refs);
}

/** TorchScript modules by this package's own ops, which run and differentiate them as functions of all their state. */
export const foreignKernels = {
  foreignCall(torch, operands, attributes, specs) {
    const { module, training } = attributes;
    const [parameters, buffers, inputs] = split(operands, attributes);
    const key = operands[0]!.ref;
    const op = "keras::script_forward";
    return stored(torch, torch.callMany(op, specs.length, module, parameters, buffers, inputs, training, key), specs);
  },
  foreignGradient(torch, operands, attributes, specs) {
    const { module, training, outputs } = attributes;
    const [parameters, buffers, inputs] = split(operands.slice(0, -outputs), attributes);
    const gradients = refs(operands.slice(-outputs));
    const key = operands[0]!.ref;
    const op = "keras::script_backward";
    const results = torch.callMany(op, specs.length, module, parameters, buffers, inputs, gradients, training, key);
    return stored(torch, results, specs);
  },
} satisfies TorchKernels;
