import { configure } from "../config/configure.js";
import type { Config } from "../config/field.js";
import { deserializeKerasObject } from "../config/deserialize.js";
import { registerBuiltins } from "../config/registry.js";
import { serializeValue } from "../config/serialize.js";
import { type DType, shrink } from "../core/dtype.js";
import { KerasTensor, type SymbolicShape } from "../core/keras-tensor.js";
import type { Tensor } from "../core/tensor.js";
import { masksOf } from "../layers/base/masks.js";
import { isShape, showShape } from "../layers/base/shapes.js";
import { isLayer, type ShapeStructure, STATE } from "../layers/base/state.js";
import type { CallOptions } from "../layers/base/call-types.js";
import { InputLayer } from "../layers/core/input-layer.js";
import type { Layer } from "../layers/layer.js";
import { showValue } from "../utils/show-value.js";
import { Functional } from "./functional.js";
import { Model } from "./model.js";

/** What a Sequential can be made of. */
export type SequentialItem = Layer | KerasTensor;
export interface SequentialOptions {
  name?: string | null | undefined;
  trainable?: boolean | undefined;
}

/**
 * A linear stack of layers. It has weights once the shape of its input is known: from an `Input` at its beginning, from `build`, or from
 * the first call.
 */
export class Sequential extends configure(Model, "Sequential", {}) {
  static override readonly module: string = "keras";
  static override readonly callOptions: readonly string[] = ["training", "mask"];
  #layers: Layer[] = [];
  #functional: Functional | null = null;

  constructor(layers: readonly SequentialItem[] | null = null, options: SequentialOptions = {}) {
    super(options);
    if (layers !== null && !Array.isArray(layers))
      throw new TypeError(`\`Sequential\` takes an array of layers. Received: ${showValue(layers)}.`);
    for (const layer of (layers ?? []) as SequentialItem[]) this.#push(layer);
    if (this.#layers.length > 0) this.#rebuild();
  }

  /** Puts a layer on top. Throws when its name is taken, and for a second input. */
  add(layer: SequentialItem): void {
    this.#push(layer);
    this.#rebuild();
  }
  /** Takes the top layer off and returns it. */
  pop(): Layer {
    const layer = this.#layers.pop();
    if (!layer) throw new Error(`The Sequential "${this.name}" has no layers.`);
    this.#setLayers(this.#layers);
    if (this.#layers.length > 0) this.#rebuild();
    return layer;
  }
  #push(item: SequentialItem): void {
    const origin = item instanceof KerasTensor ? item.history?.operation : item;
    const layer = item instanceof KerasTensor && !(origin instanceof InputLayer) ? null : origin;
    if (!isLayer(layer)) throw new TypeError(`A Sequential takes layers and Input(). Received: ${showValue(item)}.`);
    const [first] = this.#layers;
    if (!first && layer.batchInputShape) this.#push(new InputLayer({ batchShape: layer.batchInputShape }));
    if (this.#layers.some((other) => other !== layer && other.name === layer.name))
      throw new Error(
        `The Sequential "${this.name}" already has a layer named "${layer.name}". Give the new one another name.`,
      );
    if (layer instanceof InputLayer && first instanceof InputLayer)
      throw new Error(
        `The Sequential "${this.name}" already has the input shape ${showShape(first.batchShape)}. It cannot get another Input.`,
      );
    this.#setLayers([...this.#layers, layer]);
  }
  #setLayers(layers: Layer[]): void {
    this.#layers = layers;
    this.#functional = null;
    this.built = false;
    const { tracked } = this[STATE];
    tracked.length = 0;
    tracked.push(...layers);
  }
  #rebuild(): void {
    this.resetFunctions();
    this.built = false;
    this.#functional = null;
    const [first, second] = this.#layers;
    if (!second) return;
    if (first instanceof InputLayer) this.build(first.batchShape);
    else if (first instanceof Functional || (first instanceof Sequential && first.#functional))
      this.build(first.inputShape as SymbolicShape);
  }

  /** Makes the weights for inputs of one shape, batch axis included. */
  override build(inputShape?: SymbolicShape | null): void {
    // Nested inputs have no single shape: the layers then build themselves one by one.
    if (!isShape(inputShape)) return;
    const [first] = this.#layers;
    if (!first)
      throw new Error(`The Sequential "${this.name}" cannot be built: it has no layers. Add some with add().`);
    if (!(first instanceof InputLayer))
      this.#setLayers([new InputLayer({ batchShape: inputShape, dtype: first.computeDtype }), ...this.#layers]);
    else if (String(first.batchShape) !== String(inputShape))
      throw new Error(
        `The Sequential "${this.name}" has the input shape ${showShape(first.batchShape)}. It cannot be built with ${showShape(inputShape)}.`,
      );
    const inputs = this.#layers[0]!.output as KerasTensor;
    let outputs = inputs;
    for (const layer of this.#layers.slice(1)) outputs = layer(outputs);
    this.#functional = new Functional({ inputs, outputs });
  }
  override call(inputs: Tensor, options: CallOptions = {}): unknown {
    if (this.#functional) return this.#functional.call(inputs, options);
    let outputs: unknown = inputs;
    let { mask } = options as { mask?: unknown };
    for (const layer of this.layers) {
      outputs = layer<unknown>(outputs as Tensor, mask ? { mask } : {});
      mask = masksOf(outputs);
    }
    return outputs;
  }
  override computeOutputSpec(inputs: unknown, ...rest: unknown[]): unknown {
    return this.#functional ? this.#functional.computeOutputSpec(inputs) : super.computeOutputSpec(inputs, ...rest);
  }
  override computeOutputShape(inputShape: ShapeStructure): unknown {
    if (this.#functional) return this.#functional.computeOutputShape(inputShape);
    return this.layers.reduce<unknown>((shape, layer) => layer.computeOutputShape(shape as ShapeStructure), inputShape);
  }

  /** The layers, without the input layer. */
  override get layers(): Layer[] {
    return this.#layers[0] instanceof InputLayer ? this.#layers.slice(1) : [...this.#layers];
  }
  /** The graph the stack became; null before its input shape is known. */
  get functional(): Functional | null {
    return this.#functional;
  }
  override get inputs(): KerasTensor[] {
    return this.#functional?.inputs ?? super.inputs;
  }
  override get outputs(): KerasTensor[] {
    return this.#functional?.outputs ?? super.outputs;
  }
  override get input(): KerasTensor | KerasTensor[] {
    return this.#functional?.input ?? super.input;
  }
  override get output(): KerasTensor | KerasTensor[] {
    return this.#functional?.output ?? super.output;
  }
  /** The shape of the input; throws while it is not known. */
  get inputShape(): SymbolicShape | SymbolicShape[] {
    return this.#known().inputShape;
  }
  /** The shape of the output; throws while it is not known. */
  get outputShape(): SymbolicShape | SymbolicShape[] {
    return this.#known().outputShape;
  }
  #known(): Functional {
    if (this.#functional) return this.#functional;
    throw new Error(`The Sequential "${this.name}" has no shapes yet: call build(), or begin it with an Input.`);
  }
  override get inputDtype(): DType {
    const [first] = this.#layers;
    return first instanceof InputLayer ? shrink(first.computeDtype) : super.inputDtype;
  }

  override getConfig(): Config {
    const { name, trainable, dtype } = super.getConfig();
    const [first] = this.#layers;
    return {
      name,
      trainable,
      dtype,
      layers: this.#layers.map(serializeValue),
      ...(this.#functional && first instanceof InputLayer && { build_input_shape: first.batchShape }),
    };
  }
  /** The model of a saved config. `trainable` and `dtype` are not read, as in Python Keras. */
  static override fromConfig<T>(this: new (...args: never[]) => T, config: Config): T {
    const model = new this(...([null, { name: config["name"] }] as never[])) as T & Sequential;
    for (const saved of config["layers"] as unknown[]) model.add(deserializeKerasObject(saved) as Layer);
    const shape = config["build_input_shape"];
    if (!model.functional && isShape(shape)) model.build(shape);
    return model;
  }
  /** The stack can change at any time. */
  override lock(): void {}
}

registerBuiltins("keras", { Sequential });
registerBuiltins("keras.models", { Sequential });
