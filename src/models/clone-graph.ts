import { Node } from "../core/graph.js";
import { KerasTensor } from "../core/keras-tensor.js";
import { Input, InputLayer } from "../layers/core/input-layer.js";
import { flatten, packSequenceAs } from "../tree/index.js";
import { producerOf, traverse } from "./map-graph.js";
import { replaceSymbolic } from "./run-graph.js";

/**
 * A copy of the graph between tensors inside another graph, on the same layers: inputs that no input layer made get one. Returns the
 * new inputs and outputs, in the structures of the given ones.
 */
export function cloneGraph(inputs: unknown, outputs: unknown): { inputs: unknown; outputs: unknown } {
  const flatInputs = flatten<KerasTensor>(inputs as KerasTensor);
  const flatOutputs = flatten<KerasTensor>(outputs as KerasTensor);
  const { nodes } = traverse(flatInputs, flatOutputs);
  const copies = new Map<KerasTensor, KerasTensor>();
  const newInputs = flatInputs.map((x) => {
    const copy = producerOf(x)?.isInput ? x : Input({ batchShape: x.shape, dtype: x.dtype, name: `${x.name}CLONE` });
    copies.set(x, copy);
    return copy;
  });
  const copyOf = (x: KerasTensor): KerasTensor => {
    const known = copies.get(x);
    if (known) return known;
    const copy = new KerasTensor(x.shape, x.dtype, { name: `${x.name}_clone` });
    copies.set(x, copy);
    return copy;
  };
  for (const node of nodes) {
    // Input layers have their one node already.
    if (node.operation instanceof InputLayer) {
      for (const y of node.outputs) copies.set(y, y);
      continue;
    }
    const outputsOfNode = node.outputs.map(copyOf);
    new Node(
      node.operation,
      node.args.map((arg) => replaceSymbolic(arg, copyOf)),
      { inputs: node.inputs.map(copyOf), outputs: outputsOfNode, result: replaceSymbolic(node.result, copyOf) },
    );
  }
  return {
    inputs: packSequenceAs(inputs, newInputs),
    outputs: packSequenceAs(outputs, flatOutputs.map(copyOf)),
  };
}
