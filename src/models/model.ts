import { configure } from "../config/configure.js";
import { Configurable } from "../config/configurable.js";
import type { Config } from "../config/field.js";
import { registerBuiltins } from "../config/registry.js";
import type { KerasTensor } from "../core/keras-tensor.js";
import type { Tensor } from "../core/tensor.js";
import type { Layer } from "../layers/layer.js";
import { type LayerOptions } from "../layers/layer.js";
import type { Nested } from "../tree/index.js";
import { Trainer } from "../trainers/trainer.js";
import { showValue } from "../utils/show-value.js";
import { readFunctionalConfig } from "./functional-config-read.js";
import { toJson } from "./json.js";
import { printSummary, type SummaryOptions } from "./summary.js";

/** Symbolic tensors in any nesting. Ops on symbolic tensors are typed as returning `Tensor`, so that type is accepted as well. */
export type SymbolicStructure = Nested<KerasTensor | Tensor>;
/** What makes a model of a graph. */
export interface GraphOptions {
  readonly inputs: SymbolicStructure;
  readonly outputs: SymbolicStructure;
  readonly name?: string | null | undefined;
  readonly trainable?: boolean | undefined;
}
export interface ModelOptions extends LayerOptions {
  readonly inputs?: SymbolicStructure;
  readonly outputs?: SymbolicStructure;
}

/** The class of graph models, which builds on this one. */
type GraphModelClass = new (options: GraphOptions) => Model;
let graphModel: GraphModelClass | null = null;
/** Tells `Model` what makes models of graphs. */
export const installGraphModel = (cls: GraphModelClass): void => {
  graphModel = cls;
};

/**
 * Layers put together, with training and saving.
 *
 * `new Model({ inputs, outputs })` makes a model of the graph between symbolic tensors. Subclasses define layers in their constructor and
 * connect them in `call`; those that pass `inputs` and `outputs` to `super` become models of a graph as well.
 */
export class Model extends configure(Trainer, "Model", {}) {
  static override readonly module: string = "keras";
  static override readonly callOptions: readonly string[] | null = null;

  constructor(options?: ModelOptions);
  constructor(
    inputs: SymbolicStructure,
    outputs: SymbolicStructure,
    options?: Omit<GraphOptions, "inputs" | "outputs">,
  );
  constructor(first: ModelOptions | SymbolicStructure = {}, outputs?: SymbolicStructure, rest: object = {}) {
    const options = outputs === undefined ? first : { ...rest, inputs: first, outputs };
    if (isGraph(options)) {
      if (!graphModel) throw new Error('Models of graphs need "keras-ts/models" to be imported.');
      if (new.target === Model) return new graphModel(options);
      insertBase(new.target, graphModel);
      return Reflect.construct(graphModel, [options], new.target) as Model;
    }
    super(options as LayerOptions);
  }

  /** The layers right below the model. */
  get layers(): Layer[] {
    return [...new Set(this.sublayers)];
  }
  /** Symbolic inputs, flat. Throws unless the model is a graph. */
  get inputs(): KerasTensor[] {
    throw this.#noGraph("inputs");
  }
  /** Symbolic outputs, flat. Throws unless the model is a graph. */
  get outputs(): KerasTensor[] {
    throw this.#noGraph("outputs");
  }
  #noGraph(what: string): Error {
    return new Error(
      `The model "${this.name}" has no symbolic ${what}: it is not a graph, or not built yet. Build it, or make it with new Model({ inputs, outputs }).`,
    );
  }

  /** A layer by its name or its position; throws when there is none. */
  getLayer(which: string | number): Layer {
    const { layers } = this;
    const found = typeof which === "number" ? layers.at(which) : layers.find(({ name }) => name === which);
    if (found) return found;
    const known = layers.map(({ name }) => name).join(", ") || "none";
    throw new RangeError(`The model "${this.name}" has no layer ${showValue(which)}. Its layers: ${known}.`);
  }
  /** The model of a saved config: of its graph where it holds one, else from the arguments of the class. */
  static override fromConfig<T extends Configurable>(this: new (...args: never[]) => T, config: Config): T {
    if (!("input_layers" in config)) return Configurable.fromConfig.call(this, config) as T;
    return new this(readFunctionalConfig(config) as never);
  }
  /** Prints a table of the layers, with their output shapes and numbers of parameters. */
  summary(options: SummaryOptions = {}): void {
    printSummary(this, options);
  }
  /** The architecture as JSON, to be read by `modelFromJson`. */
  toJson(): string {
    return toJson(this);
  }
}

const isGraph = (options: object): options is GraphOptions => "inputs" in options && "outputs" in options;

/** Puts `base` between `Model` and the class of the chain that extends it, as Python Keras does for subclasses that pass a graph. */
function insertBase(cls: object, base: GraphModelClass): void {
  let child = cls as { prototype: object };
  for (;;) {
    const parent = Object.getPrototypeOf(child) as { prototype: object };
    if (parent === base) return;
    if (parent === Model) break;
    child = parent;
  }
  Object.setPrototypeOf(child, base);
  Object.setPrototypeOf(child.prototype, base.prototype as object);
}

registerBuiltins("keras", { Model });
registerBuiltins("keras.models", { Model });
