import { OpOperation } from "../core/op.js";
import type { Node, Operation } from "../core/graph.js";
import { KerasTensor } from "../core/keras-tensor.js";
import { flatten, mapStructure } from "../tree/index.js";
import type { Layer } from "../layers/layer.js";

/** Applies an operation to values. */
const applyOperation = (operation: Operation, args: readonly unknown[]): unknown =>
  operation instanceof OpOperation
    ? operation.op(...(args as never[]))
    : (operation as unknown as Layer)(...(args as [never]));

interface Step {
  readonly operation: Operation;
  readonly inputs: readonly KerasTensor[];
  readonly outputs: readonly KerasTensor[];
  readonly fill: (values: ReadonlyMap<KerasTensor, unknown>) => unknown[];
}

/** A graph ready to run on values: what does not change between runs is worked out once. */
export class GraphRunner {
  readonly #steps: readonly Step[];

  constructor(
    nodes: readonly Node[],
    private readonly inputs: readonly KerasTensor[],
    private readonly outputs: readonly KerasTensor[],
  ) {
    this.#steps = nodes.filter((node) => !node.isInput).map(stepOf);
    const reached = new Set(inputs);
    for (const step of this.#steps)
      if (step.inputs.every((x) => reached.has(x))) for (const y of step.outputs) reached.add(y);
    const lost = outputs.find((y) => !reached.has(y));
    if (lost) throw new Error(`The output "${lost.name}" cannot be computed from the inputs of the model.`);
  }

  /** Values of the outputs, in order, for values of the inputs. */
  run(values: readonly unknown[]): unknown[] {
    const known = new Map<KerasTensor, unknown>(this.inputs.map((x, i) => [x, values[i]]));
    for (const { operation, inputs, outputs, fill } of this.#steps) {
      if (!inputs.every((x) => known.has(x))) continue;
      const result = applyOperation(operation, fill(known));
      if (outputs.length === 1 && !Array.isArray(result)) known.set(outputs[0]!, result);
      else flatten(result).forEach((value, i) => known.set(outputs[i]!, value));
    }
    return this.outputs.map((y) => known.get(y));
  }
}

function stepOf({ operation, inputs, outputs, args }: Node): Step {
  const simple = args.every((arg) => arg instanceof KerasTensor);
  const fill: Step["fill"] = simple
    ? (values) => args.map((arg) => values.get(arg as KerasTensor))
    : (values) => args.map((arg) => replaceSymbolic(arg, (x) => values.get(x)));
  return { operation, inputs, outputs, fill };
}

/** `value` with its symbolic tensors replaced. */
export const replaceSymbolic = (value: unknown, replace: (x: KerasTensor) => unknown): unknown =>
  mapStructure((leaf: unknown) => (leaf instanceof KerasTensor ? replace(leaf) : leaf), value);
