import type { Node, Operation } from "../core/graph.js";
import type { KerasTensor } from "../core/keras-tensor.js";

/** A graph between inputs and outputs, in the orders in which Keras runs and lists it. */
export interface Graph {
  /** Nodes in the order in which they run. */
  readonly nodes: readonly Node[];
  /** Layers and ops from the inputs to the outputs. */
  readonly operations: readonly Operation[];
  /** Operations by their distance from the outputs. */
  readonly depths: ReadonlyMap<Operation, number>;
}

/** The node that made `x`; undefined for a tensor without history. */
export const producerOf = (x: KerasTensor): Node | undefined => x.history?.operation.inboundNodes[x.history.nodeIndex];

interface Traversal {
  /** Nodes after all nodes they depend on. */
  readonly nodes: Node[];
  /** When each operation was first met on the way from the outputs to the inputs. */
  readonly order: Map<Operation, number>;
}

/** Walks from the outputs to the inputs, depth first. Throws when the graph has a cycle. */
export function traverse(inputs: readonly KerasTensor[], outputs: readonly KerasTensor[]): Traversal {
  const ends = new Set(inputs);
  const nodes: Node[] = [];
  const order = new Map<Operation, number>();
  const finished = new Set<Node>();
  const running = new Set<Node>();
  const visit = (x: KerasTensor): void => {
    const node = producerOf(x);
    if (!node || finished.has(node)) return;
    if (!node.isInput && ends.has(x)) {
      finished.add(node);
      return;
    }
    if (running.has(node)) throw new Error(`The tensor "${x.name}" of "${node.operation.name}" is part of a cycle.`);
    if (!order.has(node.operation)) order.set(node.operation, order.size);
    running.add(node);
    for (const input of node.inputs) visit(input);
    running.delete(node);
    finished.add(node);
    nodes.push(node);
  };
  for (const output of outputs) visit(output);
  return { nodes, order };
}

/**
 * Sorts the graph between `inputs` and `outputs`. Throws when outputs depend on other inputs, when there is a cycle, and when two
 * operations share a name.
 */
export function mapGraph(inputs: readonly KerasTensor[], outputs: readonly KerasTensor[]): Graph {
  const { nodes, order } = traverse(inputs, outputs);
  const inGraph = new Set(nodes);
  const depthOfNode = new Map<Node, number>();
  const depths = new Map<Operation, number>();
  for (const node of [...nodes].reverse()) {
    const depth = Math.max(depthOfNode.get(node) ?? 0, depths.get(node.operation) ?? 0);
    depths.set(node.operation, depth);
    depthOfNode.set(node, depth);
    for (const parent of node.parents)
      if (inGraph.has(parent)) depthOfNode.set(parent, Math.max(depth + 1, depthOfNode.get(parent) ?? 0));
  }
  for (const input of inputs) {
    const node = producerOf(input);
    if (!node?.isInput || depths.has(node.operation)) continue;
    depths.set(node.operation, 0);
    order.set(node.operation, -1);
    depthOfNode.set(node, 0);
  }
  const sorted = [...depthOfNode].sort(([, a], [, b]) => b - a).map(([node]) => node);
  const operations = [...depths]
    .sort(([a, x], [b, y]) => y - x || order.get(a)! - order.get(b)!)
    .map(([operation]) => operation);
  assertConnected(inputs, sorted);
  assertUniqueNames(operations);
  return { nodes: sorted, operations, depths };
}

function assertConnected(inputs: readonly KerasTensor[], nodes: readonly Node[]): void {
  const known = new Set(inputs);
  const passed: string[] = [];
  for (const node of nodes) {
    const missing = node.inputs.find((x) => !known.has(x));
    if (missing)
      throw new Error(
        `The graph is disconnected: "${node.operation.name}" needs the tensor "${missing.name}", which none of the inputs leads to. Operations reached before: ${passed.join(", ") || "none"}.`,
      );
    passed.push(node.operation.name);
    // An input layer that is none of the inputs gives nothing.
    if (!node.isInput) for (const y of node.outputs) known.add(y);
  }
}

function assertUniqueNames(operations: readonly Operation[]): void {
  const seen = new Set<string>();
  for (const { name } of operations) {
    if (seen.has(name))
      throw new Error(`The name "${name}" is used more than once in the model. All names in a model must be unique.`);
    seen.add(name);
  }
}
