import { configure } from "../../config/configure.js";
import { makeField, wrongValue } from "../../config/make-field.js";
import { optional, type Options, shape } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { inSafeMode } from "../../config/safe-mode.js";
import { isFloat } from "../../core/dtype.js";
import { engine } from "../../core/engine.js";
import type { ForeignModule, ForeignState } from "../../core/foreign-modules.js";
import { KerasTensor } from "../../core/keras-tensor.js";
import { fromHost, type Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { computeOutputSpec } from "../../core/symbolic.js";
import { cast, foreignCall, full, noForeignModules } from "../../primitives/index.js";
import { SeedGenerator } from "../../random/seed-generator.js";
import { fromBase64, toBase64 } from "../../utils/base64.js";
import { type ByteSource, readSource } from "../../utils/files.js";
import { Layer, type LayerOptions } from "../layer.js";

/** The archive that `torch.jit.save` wrote: bytes, or their base64 text as configs hold them. */
const archive = makeField<Uint8Array | string, Uint8Array>(
  undefined,
  {},
  (value, name) => {
    if (value instanceof Uint8Array) return value;
    if (typeof value !== "string") throw wrongValue(name, "the bytes of a TorchScript archive", value);
    if (inSafeMode() !== false)
      throw new Error(
        `\`${name}\` holds a TorchScript module, whose code runs with the rights of this process. To load it from a source you trust, pass \`safeMode: false\` or call keras.config.enableUnsafeDeserialization().`,
      );
    return fromBase64(value);
  },
  toBase64,
);
const fields = {
  module: archive,
  /** Shape of the outputs with the batch axis; found out by running the module when null. */
  outputShape: optional(shape()),
};
export interface TorchModuleWrapperOptions extends LayerOptions, Omit<Options<typeof fields>, "module"> {}

/**
 * A TorchScript module (`torch.jit.save`) as a layer, for the torch engine: libtorch runs and differentiates it, its parameters are
 * weights of the layer and train with any optimizer, and its buffers (running means and the like) are weights that do not train.
 *
 * Takes a tensor or an array of tensors, and gives one or an array of them, in the order of the module's outputs. `training` sets the
 * module's mode. The module's code runs with the rights of the process: wrap only modules you trust.
 *
 * @example
 * const backbone = await keras.layers.TorchModuleWrapper.load("resnet.ts.pt");
 * const model = new keras.Sequential([keras.Input([3, 224, 224]), backbone, new keras.layers.Dense(10)]);
 */
export class TorchModuleWrapper extends configure(Layer, "TorchModuleWrapper", fields) {
  readonly #module: ForeignModule;
  readonly #parameters: readonly Variable[];
  readonly #buffers: readonly Variable[];
  readonly seedGenerator: SeedGenerator;

  /** @throws Error when the engine runs no TorchScript, or when libtorch cannot read `module`. */
  constructor(module: Uint8Array | string, options: TorchModuleWrapperOptions = {}) {
    super({ module, ...options });
    const modules = engine().foreignModules;
    if (!modules) throw new Error(noForeignModules(engine().name));
    this.#module = modules.load(this.module);
    this.seedGenerator = new SeedGenerator();
    this.#parameters = this.#module.parameters.map((state) => this.#weight(state));
    this.#buffers = this.#module.buffers.map((state) => this.#weight({ ...state, trainable: false }));
    this.built = true;
  }
  /** The layer for a module at a path (in Node) or URL, or in memory. */
  static async load(source: ByteSource, options: TorchModuleWrapperOptions = {}): Promise<TorchModuleWrapper> {
    return new TorchModuleWrapper(await readSource(source), options);
  }
  #weight({ name, value, trainable }: ForeignState): Variable {
    const { shape, dtype } = value;
    return this.addWeight({ name, shape, dtype, trainable, autocast: false, initializer: () => fromHost(value) });
  }

  override call(inputs: Tensor | readonly Tensor[], { training = false }: { training?: boolean } = {}): unknown {
    const dtype = this.#parameters.find((variable) => isFloat(variable.dtype))?.dtype;
    const given = (Array.isArray(inputs) ? (inputs as readonly Tensor[]) : [inputs as Tensor]).map((x) =>
      dtype !== undefined && isFloat(x.dtype) ? cast(x, dtype) : x,
    );
    const { outputs, buffers } = foreignCall(
      {
        key: training ? this.seedGenerator.next() : full([2], 0, "uint32"),
        parameters: this.#parameters.map(({ value }) => value),
        buffers: this.#buffers.map(({ value }) => value),
        inputs: given,
      },
      this.#module.id,
      training,
    );
    if (training) this.#buffers.forEach((variable, i) => variable.assign(buffers[i]!));
    return outputs.length === 1 ? outputs[0] : outputs;
  }
  override computeOutputSpec(...args: unknown[]): unknown {
    if (this.outputShape) return new KerasTensor(this.outputShape, this.inputDtype);
    return computeOutputSpec((inputs: unknown) => this.call(inputs as Tensor), [args[0]]);
  }
}

registerBuiltins("keras.layers", { TorchModuleWrapper });
