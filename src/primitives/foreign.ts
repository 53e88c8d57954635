import { isFloat, type TensorSpec } from "../core/dtype.js";
import { engine } from "../core/engine.js";
import type { Tensor } from "../core/tensor.js";
import { full } from "./create.js";
import { definePrimitive, type PrimitiveFunction } from "./define.js";

export interface ForeignAttributes {
  /** Number of the module with the engine. */
  readonly module: number;
  /** How many of the inputs are parameters, and then buffers. */
  readonly parameters: number;
  readonly buffers: number;
  readonly training: boolean;
}
/** What a foreign module takes: an integer key for its random draws, its parameters and buffers, and its inputs. */
export interface ForeignInputs {
  readonly key: Tensor;
  readonly parameters: readonly Tensor[];
  readonly buffers: readonly Tensor[];
  readonly inputs: readonly Tensor[];
}

const inputsAt = ({ parameters, buffers }: ForeignAttributes): number => 1 + parameters + buffers;
const like = ({ shape, dtype }: TensorSpec): TensorSpec => ({ shape, dtype });

/** Runs a foreign module (`core/foreign-modules.ts`). Results: its outputs, then the buffers as the run left them. */
export const foreignCall: PrimitiveFunction<
  [operands: ForeignInputs, module: number, training: boolean],
  { readonly outputs: readonly Tensor[]; readonly buffers: readonly Tensor[] },
  ForeignAttributes
> = definePrimitive(
  {
    name: "foreignCall",
    infer(specs, attributes: ForeignAttributes) {
      const modules = engine().foreignModules;
      if (!modules) throw new Error(noForeignModules(engine().name));
      const first = inputsAt(attributes);
      const buffers = specs.slice(1 + attributes.parameters, first).map(like);
      return [...modules.outputs(attributes.module, specs.slice(first)), ...buffers];
    },
    gradient(gradients, { inputs, outputs, attributes }) {
      const { buffers } = attributes;
      const first = inputsAt(attributes);
      const own = outputs.slice(0, outputs.length - buffers);
      const given = own.map((y, i) => gradients[i] ?? full(y.shape, 0, y.dtype));
      const found = foreignGradient(inputs, given, attributes);
      const ofInputs = found.slice(0, inputs.length - first);
      const ofParameters = found.slice(ofInputs.length);
      const all = [null, ...ofParameters, ...new Array<null>(buffers).fill(null), ...ofInputs];
      return all.map((gradient, i) => (isFloat(inputs[i]!.dtype) ? gradient : null));
    },
  },
  (apply, { key, parameters, buffers, inputs }: ForeignInputs, module: number, training: boolean) => {
    const results = apply([key, ...parameters, ...buffers, ...inputs], {
      module,
      parameters: parameters.length,
      buffers: buffers.length,
      training,
    });
    const count = results.length - buffers.length;
    return { outputs: results.slice(0, count), buffers: results.slice(count) };
  },
);

/**
 * Gradients of a foreign module's inputs, then of its parameters, by the library's own means, from the operands of `foreignCall` and the
 * gradients of its outputs. Has no gradient itself.
 */
export const foreignGradient: PrimitiveFunction<
  [operands: readonly Tensor[], gradients: readonly Tensor[], attributes: ForeignAttributes],
  readonly Tensor[],
  ForeignAttributes & { readonly outputs: number }
> = definePrimitive(
  {
    name: "foreignGradient",
    infer: (specs, attributes: ForeignAttributes & { readonly outputs: number }) => [
      ...specs.slice(inputsAt(attributes), specs.length - attributes.outputs).map(like),
      ...specs.slice(1, 1 + attributes.parameters).map(like),
    ],
    gradient: null,
  },
  (apply, operands: readonly Tensor[], gradients: readonly Tensor[], attributes: ForeignAttributes) =>
    apply([...operands, ...gradients], { ...attributes, outputs: gradients.length }),
);

/** Why an engine does not run foreign modules, and what does. */
export const noForeignModules = (name: string): string =>
  `The ${name} engine does not run modules of other libraries. TorchScript modules need the torch engine: KERAS_BACKEND=torch.`;
