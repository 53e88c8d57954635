import { configure } from "../config/configure.js";
import type { Config } from "../config/field.js";
import { registerBuiltins } from "../config/registry.js";
import { toTensor } from "../core/convert.js";
import type { Operation } from "../core/graph.js";
import { KerasTensor, type SymbolicShape } from "../core/keras-tensor.js";
import { computeOutputSpec } from "../core/symbolic.js";
import type { Tensor } from "../core/tensor.js";
import type { CallOptions } from "../layers/base/call-types.js";
import { isLayer, type ShapeStructure, STATE } from "../layers/base/state.js";
import { InputLayer } from "../layers/core/input-layer.js";
import { InputSpec } from "../layers/input-spec.js";
import type { Layer } from "../layers/layer.js";
import { flatten, isNested, mapShapeStructure, mapStructure, packSequenceAs } from "../tree/index.js";
import { showValue } from "../utils/show-value.js";
import { warn } from "../utils/print-warning.js";
import { cloneGraph } from "./clone-graph.js";
import { functionalConfig } from "./functional-config-write.js";
import { fitRank, flatInputsOf } from "./functional-inputs.js";
import { noteGraphModel } from "./graph-model.js";
import { type Graph, mapGraph, producerOf } from "./map-graph.js";
import { type GraphOptions, installGraphModel, Model, type SymbolicStructure } from "./model.js";
import { GraphRunner } from "./run-graph.js";

/**
 * A model that is a graph of layers and ops between symbolic tensors. Inputs and outputs may be nested; inputs from inside another
 * graph are allowed, and share its layers.
 */
export class Functional extends configure(Model, "Functional", {}) {
  static override readonly module: string = "keras.src.models.functional";
  static readonly registeredName: string = "Functional";
  static override readonly callOptions: readonly string[] = ["training", "mask"];
  readonly #graph: Graph;
  readonly #runner: GraphRunner;
  readonly #inputs: unknown;
  readonly #outputs: unknown;
  readonly #flatInputs: readonly KerasTensor[];
  readonly #flatOutputs: readonly KerasTensor[];

  constructor({ inputs, outputs, ...options }: GraphOptions) {
    super(options as object);
    assertSymbolic("inputs", inputs);
    assertSymbolic("outputs", outputs);
    warnAboutKeys(inputs);
    const fromInputs = flatten<KerasTensor>(inputs as KerasTensor).every((x) => producerOf(x)?.isInput);
    const ends = fromInputs ? { inputs, outputs } : cloneGraph(inputs, outputs);
    this.#inputs = ends.inputs;
    this.#outputs = ends.outputs;
    this.#flatInputs = flatten<KerasTensor>(ends.inputs as KerasTensor);
    this.#flatOutputs = flatten<KerasTensor>(ends.outputs as KerasTensor);
    this.#graph = mapGraph(this.#flatInputs, this.#flatOutputs);
    this.#runner = new GraphRunner(this.#graph.nodes, this.#flatInputs, this.#flatOutputs);
    this[STATE].tracked.push(...this.layers);
    if (options.trainable !== undefined) this.trainable = options.trainable;
    noteGraphModel(this);
    this.inputSpec = specsOf(this.#inputs, this.#flatInputs);
    this.build(null);
  }

  /** Layers and ops from the inputs to the outputs. */
  get operations(): readonly Operation[] {
    return this.#graph.operations;
  }
  /** The sorted graph. */
  get graph(): Graph {
    return this.#graph;
  }
  override get layers(): Layer[] {
    return this.#graph.operations.filter((operation): operation is Operation & Layer => isLayer(operation));
  }
  override get inputs(): KerasTensor[] {
    return [...this.#flatInputs];
  }
  override get outputs(): KerasTensor[] {
    return [...this.#flatOutputs];
  }
  /** The inputs as they were given, nested. */
  get inputsStructure(): unknown {
    return this.#inputs;
  }
  /** The outputs as they were given, nested. */
  get outputsStructure(): unknown {
    return this.#outputs;
  }
  override get input(): KerasTensor | KerasTensor[] {
    return this.#inputs as KerasTensor | KerasTensor[];
  }
  override get output(): KerasTensor | KerasTensor[] {
    return this.#outputs as KerasTensor | KerasTensor[];
  }
  /** Names of the operations that make the outputs. */
  get outputNames(): string[] {
    return this.#flatOutputs.map((y) => y.history!.operation.name);
  }
  /** The shape of the input; several come in an array. */
  get inputShape(): SymbolicShape | SymbolicShape[] {
    return oneOrAll(this.#flatInputs.map(({ shape }) => shape));
  }
  /** The shape of the output; several come in an array. */
  get outputShape(): SymbolicShape | SymbolicShape[] {
    return oneOrAll(this.#flatOutputs.map(({ shape }) => shape));
  }

  override call(inputs: unknown, { mask }: CallOptions = {}): unknown {
    const flat = flatInputsOf(this.name, inputs, this.#inputs, this.#flatInputs).map((x, i) => {
      const wanted = this.#flatInputs[i]!;
      return x === null ? null : fitRank(toTensor(x, wanted.dtype), x, wanted, this.name);
    });
    flatten(mask ?? null).forEach((one, i) => {
      const x = flat[i];
      if (x && one) x.kerasMask = one as Tensor;
    });
    const outputs = this.#runner.run(flat);
    return withoutSingle(packSequenceAs(this.#outputs, outputs));
  }
  override computeOutputSpec(inputs: unknown): unknown {
    const flat = flatInputsOf(this.name, inputs, this.#inputs, this.#flatInputs) as (KerasTensor | null)[];
    const same = flat.every((x, i) => x !== null && String(x.shape) === String(this.#flatInputs[i]!.shape));
    if (!same) return computeOutputSpec((x: unknown) => this.call(x), [inputs]);
    const copy = (y: KerasTensor): KerasTensor => new KerasTensor(y.shape, y.dtype);
    return withoutSingle(mapStructure(copy, this.#outputs as KerasTensor));
  }
  override computeOutputShape(inputShape: ShapeStructure): unknown {
    let next = 0;
    const inputs = mapShapeStructure(
      (shape) => new KerasTensor(shape, this.#flatInputs[next++]?.dtype ?? "float32"),
      inputShape,
    );
    return mapStructure(({ shape }: KerasTensor) => shape, this.computeOutputSpec(inputs) as KerasTensor);
  }

  override getConfig(): Config {
    return functionalConfig(this);
  }
  /** Layers can be attached to the model at any time. */
  override lock(): void {}
  override get convertsInputs(): boolean {
    return false;
  }
  override get takesAnyArguments(): boolean {
    return true;
  }
}

function assertSymbolic(what: "inputs" | "outputs", tensors: SymbolicStructure): void {
  const flat = flatten(tensors);
  const wrong = flat.find((x) => !(x instanceof KerasTensor));
  if (flat.length > 0 && wrong === undefined) return;
  throw new TypeError(
    `\`Model.${what}\` must be symbolic tensors, which come from keras.Input(), at least one. Received: ${showValue(wrong ?? tensors)}.`,
  );
}

function warnAboutKeys(inputs: unknown): void {
  if (!isNested(inputs) || Array.isArray(inputs)) return;
  for (const [key, x] of Object.entries(inputs as object))
    if (x instanceof KerasTensor && x.name !== key)
      warn(
        `The key "${key}" of the model's inputs differs from the name of its tensor, "${x.name}". Name the Input "${key}".`,
      );
}

function specsOf(structure: unknown, inputs: readonly KerasTensor[]): InputSpec[] {
  const isDict = isNested(structure) && !Array.isArray(structure);
  const keys = isDict ? Object.keys(structure as object).sort() : [];
  return inputs.map((x, i) => {
    const layer = x.history!.operation;
    const flat = !isDict || keys.length === inputs.length;
    return new InputSpec({
      shape: x.shape.length > 0 ? [null, ...x.shape.slice(1)] : x.shape,
      allowLastAxisSqueeze: true,
      name: flat ? (isDict ? keys[i]! : layer.name) : null,
      optional: layer instanceof InputLayer && layer.optional,
    });
  });
}

const oneOrAll = <T>(values: readonly T[]): T | T[] => (values.length === 1 ? values[0]! : [...values]);
const withoutSingle = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);

installGraphModel(Functional);
registerBuiltins("keras.src.models.functional", { Functional });
