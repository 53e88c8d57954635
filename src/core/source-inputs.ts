import type { KerasTensor } from "./keras-tensor.js";

/** The symbolic inputs a symbolic tensor is computed from, each once; the tensor itself when it is an input. */
export function getSourceInputs(tensor: KerasTensor): KerasTensor[] {
  const found = new Set<KerasTensor>();
  const seen = new Set<KerasTensor>();
  const pending = [tensor];
  for (let x = pending.pop(); x; x = pending.pop()) {
    if (seen.has(x)) continue;
    seen.add(x);
    const node = x.history?.operation.inboundNodes[x.history.nodeIndex];
    if (!node) found.add(x);
    else if (node.isInput) for (const output of node.outputs) found.add(output);
    // The last is taken first: pushing them backwards keeps the order of the arguments.
    else pending.push(...[...node.inputs].reverse());
  }
  return [...found];
}
