import type { KerasTensor } from "./keras-tensor.js";

/** What can stand in a graph of symbolic tensors: a layer, a model, or an op. */
export interface Operation {
  readonly name: string;
  /** One node for each time the operation was applied to symbolic tensors. */
  readonly inboundNodes: Node[];
  readonly outboundNodes: Node[];
}
/** Where a symbolic tensor comes from. */
export interface History {
  readonly operation: Operation;
  readonly nodeIndex: number;
  readonly tensorIndex: number;
}

/** One application of an operation to symbolic tensors. */
export class Node {
  /** Symbolic tensors among the arguments, in flat order; none for an input node. */
  readonly inputs: readonly KerasTensor[];
  readonly outputs: readonly KerasTensor[];
  /** Results in the structure the operation returned. */
  readonly result: unknown;

  /**
   * Records the application and gives `outputs` their history.
   * @param args Positional arguments as they were given, options last where there were any.
   */
  constructor(
    readonly operation: Operation,
    readonly args: readonly unknown[],
    { inputs, outputs, result }: { inputs: readonly KerasTensor[]; outputs: readonly KerasTensor[]; result: unknown },
  ) {
    this.inputs = inputs;
    this.outputs = outputs;
    this.result = result;
    const nodeIndex = operation.inboundNodes.push(this) - 1;
    for (const x of inputs) x.history?.operation.outboundNodes.push(this);
    outputs.forEach((y, tensorIndex) => {
      y.history = { operation, nodeIndex, tensorIndex };
    });
  }
  get isInput(): boolean {
    return this.inputs.length === 0;
  }
  /** The nodes that made the inputs. */
  get parents(): Node[] {
    return this.inputs.flatMap(({ history }) => (history ? [history.operation.inboundNodes[history.nodeIndex]!] : []));
  }
}
