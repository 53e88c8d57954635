import type { KerasTensor } from "../../core/keras-tensor.js";
import type { Operation } from "../../core/graph.js";

/** The symbolic inputs or outputs of an operation's first call: the tensor itself when there is one. */
export function onlyTensor(operation: Operation, end: "inputs" | "outputs"): KerasTensor | KerasTensor[] {
  const node = operation.inboundNodes[0];
  if (!node)
    throw new Error(
      `"${operation.name}" has never been called on symbolic tensors, so it has no ${end.slice(0, -1)}. Call it on keras.Input() first.`,
    );
  // An input layer's only node has no inputs of its own.
  const tensors = node.isInput ? node.outputs : node[end];
  return tensors.length === 1 ? tensors[0]! : [...tensors];
}
