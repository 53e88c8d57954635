import { Configurable } from "../config/configurable.js";
import { configure } from "../config/configure.js";
import { any, autoNamed } from "../config/fields.js";
import { toTensor } from "../core/convert.js";
import { KerasTensor } from "../core/keras-tensor.js";
import type { TensorLike } from "../core/tensor.js";
import { flatten, packSequenceAs } from "../tree/index.js";
import { mapGraph } from "./map-graph.js";
import type { SymbolicStructure } from "./model.js";
import { GraphRunner } from "./run-graph.js";

const fields = { inputs: any<SymbolicStructure>(), outputs: any<SymbolicStructure>(), name: autoNamed() };

/** A graph between symbolic tensors as a function: of values, or of symbolic tensors, nested as `inputs` are. */
export interface GraphFunction {
  (inputs: unknown): unknown;
}
/**
 * The ops between `inputs` and `outputs`, to be run on other inputs. Unlike a model it has no weights of its own, no training and no file.
 * @throws Error when an output cannot be computed from the inputs, RangeError on a call with inputs of other shapes.
 */
export class GraphFunction extends configure(Configurable, "Function", fields) {
  readonly #runner: GraphRunner;
  readonly #inputs: readonly KerasTensor[];

  constructor(
    inputs: SymbolicStructure,
    outputs: SymbolicStructure,
    { name }: { readonly name?: string | undefined } = {},
  ) {
    super({ inputs, outputs, ...(name !== undefined && { name }) });
    this.#inputs = flatten<KerasTensor>(inputs as KerasTensor);
    const ends = flatten<KerasTensor>(outputs as KerasTensor);
    this.#runner = new GraphRunner(mapGraph(this.#inputs, ends).nodes, this.#inputs, ends);
  }
  /** The outputs for inputs in the nesting of the graph's own: tensors, symbolic ones, or host arrays (not nested arrays of numbers). */
  call(inputs: unknown): unknown {
    const values = flatten<unknown>(inputs as never);
    if (values.length !== this.#inputs.length)
      throw new RangeError(`"${this.name}" takes ${this.#inputs.length} inputs. Received: ${values.length}.`);
    const given = values.map((x) => (x instanceof KerasTensor ? x : toTensor(x as TensorLike)));
    given.forEach(({ shape }, i) => {
      const wanted = this.#inputs[i]!;
      const fits =
        shape.length === wanted.shape.length &&
        shape.every((d, k) => d === null || wanted.shape[k] === null || d === wanted.shape[k]);
      if (!fits)
        throw new RangeError(
          `Input ${i} of "${this.name}" must have shape [${wanted.shape.map(String).join(", ")}]. Received: [${shape.map(String).join(", ")}].`,
        );
    });
    return packSequenceAs(this.outputs as never, this.#runner.run(given) as never);
  }
  protected override invoke(inputs: unknown): unknown {
    return this.call(inputs);
  }
}
