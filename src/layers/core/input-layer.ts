import { configure } from "../../config/configure.js";
import type { Config } from "../../config/field.js";
import { any, bool, nonNegativeInt, optional, shape } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { Node } from "../../core/graph.js";
import { KerasTensor, type SymbolicShape } from "../../core/keras-tensor.js";
import { floatx } from "../../core/settings.js";
import { Layer } from "../layer.js";

const fields = {
  /** Shape of one sample. */
  shape: optional(shape(), null, { saved: false }),
  /** Size of the batch, where it is fixed. */
  batchSize: optional(nonNegativeInt(), null, { saved: false }),
  /** Shape with the batch axis, in place of `shape` and `batchSize`. */
  batchShape: optional(shape()),
  sparse: bool(false),
  ragged: bool(false),
  /** Whether the model may be called with null here. */
  optional: bool(false),
  /** An existing symbolic tensor to wrap. */
  inputTensor: any<KerasTensor | null>(null, { saved: false }),
};

/** What is known about an input. */
export interface InputOptions {
  shape?: SymbolicShape | null | undefined;
  batchSize?: number | null | undefined;
  batchShape?: SymbolicShape | null | undefined;
  /** The default float dtype when left out. */
  dtype?: string | null | undefined;
  sparse?: boolean | undefined;
  ragged?: boolean | undefined;
  optional?: boolean | undefined;
  name?: string | null | undefined;
}

/** The entry of a graph: a layer that only stands for a tensor to come. */
export class InputLayer extends configure(Layer, "InputLayer", fields) {
  static override readonly callArguments: readonly string[] = [];
  override readonly batchShape: SymbolicShape;
  readonly #dtype: string;

  constructor({ inputTensor = null, ...options }: InputOptions & { inputTensor?: KerasTensor | null } = {}) {
    const dtype = inputTensor?.dtype ?? options.dtype ?? floatx();
    super({ ...options, inputTensor, dtype } as object);
    this.#dtype = dtype;
    this.batchShape = inputTensor?.shape ?? batchShapeOf(options);
    const output = inputTensor ?? new KerasTensor(this.batchShape, this.computeDtype, { name: this.name });
    new Node(this, [], { inputs: [], outputs: [output], result: output });
    this.built = true;
  }
  override call(): never {
    throw new Error(`The input layer "${this.name}" cannot be called: it stands for a tensor that the model gets.`);
  }
  override getConfig(): Config {
    const { sparse, ragged, name } = this;
    return { batch_shape: this.batchShape, dtype: this.#dtype, sparse, ragged, name, optional: this.optional };
  }
}

function batchShapeOf({ shape: sample = null, batchSize = null, batchShape = null }: InputOptions): SymbolicShape {
  if (batchShape !== null) {
    if (sample !== null || batchSize !== null)
      throw new TypeError("Input takes either `batchShape`, or `shape` with an optional `batchSize`, not both.");
    return batchShape;
  }
  if (sample === null)
    throw new TypeError("Input needs a `shape` (without the batch axis) or a `batchShape` (with it).");
  return [batchSize, ...sample];
}

/**
 * A symbolic tensor to start a graph with: `Input([28, 28, 1])`, or `Input({ shape: [28, 28, 1], name: "image" })`.
 * @param shape Shape of one sample; null is an unknown dimension.
 */
export function Input(shape: SymbolicShape, options?: Omit<InputOptions, "shape">): KerasTensor;
export function Input(options: InputOptions & { tensor?: KerasTensor | null }): KerasTensor;
export function Input(
  first: SymbolicShape | (InputOptions & { tensor?: KerasTensor | null }),
  rest: InputOptions = {},
): KerasTensor {
  const { tensor = null, ...options } = isShapeList(first) ? { ...rest, shape: first } : first;
  const layer = new InputLayer(tensor ? { ...options, inputTensor: tensor } : options);
  return layer.output as KerasTensor;
}
const isShapeList = (value: object): value is SymbolicShape => Array.isArray(value);

registerBuiltins("keras.layers", { InputLayer });
