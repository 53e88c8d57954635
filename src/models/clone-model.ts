import { deserializeKerasObject } from "../config/deserialize.js";
import type { Registrable } from "../config/registry.js";
import { serializeKerasObject } from "../config/serialize.js";
import { KerasTensor } from "../core/keras-tensor.js";
import { OpOperation } from "../core/op.js";
import type { Operation } from "../core/graph.js";
import { Input, InputLayer } from "../layers/core/input-layer.js";
import type { Layer } from "../layers/layer.js";
import { flatten, mapStructure, packSequenceAs } from "../tree/index.js";
import { Functional } from "./functional.js";
import type { Model, SymbolicStructure } from "./model.js";
import { replaceSymbolic } from "./run-graph.js";
import { Sequential } from "./sequential.js";

/** How to copy a model. */
export interface CloneOptions {
  /** Symbolic tensors to put the copy on, in place of new inputs. */
  readonly inputTensors?: SymbolicStructure | null;
  /** Makes the copy of a layer; by default a new one of the same config. */
  readonly cloneFunction?: ((layer: Layer) => Layer) | null;
  /** Applies the copy of a layer in a graph: `(layer, ...args) => layer(...args)` by default. */
  readonly callFunction?: ((layer: Layer, ...args: readonly unknown[]) => unknown) | null;
  /** Whether inner models are copied layer by layer as well. */
  readonly recursive?: boolean;
}

/** A model like `model` with new layers and fresh weights. Subclassed models are copied by their config, without further options. */
export function cloneModel(model: Model, options: CloneOptions = {}): Model {
  return cloneWith(model, options, new Map());
}

function cloneWith(model: Model, options: CloneOptions, copies: Map<Layer, Layer>): Model {
  const { inputTensors = null, cloneFunction = null, callFunction = null, recursive = false } = options;
  const copyOf = (layer: Layer): Layer => {
    const known = copies.get(layer);
    if (known) return known;
    const inner = recursive && (layer instanceof Functional || layer instanceof Sequential);
    const copy = inner
      ? cloneWith(layer, { cloneFunction, callFunction, recursive }, copies)
      : (cloneFunction ?? sameConfig)(layer);
    copies.set(layer, copy);
    return copy;
  };
  if (model instanceof Sequential) {
    if (callFunction)
      throw new TypeError("`callFunction` is for graphs: a Sequential does not call its layers itself.");
    return cloneSequential(model, copyOf, inputTensors);
  }
  if (model instanceof Functional) return cloneFunctional(model, copyOf, inputTensors, callFunction);
  if (cloneFunction || inputTensors || callFunction)
    throw new TypeError(
      `\`cloneFunction\`, \`inputTensors\` and \`callFunction\` are for Sequential and Functional models. Received a ${(model.constructor as typeof Layer).className}.`,
    );
  const cls = model.constructor as unknown as Registrable & { className: string };
  return deserializeKerasObject(serializeKerasObject(model), { customObjects: { [cls.className]: cls } }) as Model;
}

const sameConfig = (layer: Layer): Layer =>
  deserializeKerasObject(withoutBuildConfig(serializeKerasObject(layer)), {
    customObjects: {
      [(layer.constructor as typeof Layer).className]: layer.constructor as unknown as Registrable,
    },
  }) as Layer;
/** Layers are built again when the copy calls them. */
function withoutBuildConfig(saved: unknown): unknown {
  const { build_config: _, compile_config: __, ...envelope } = saved as Record<string, unknown>;
  return envelope;
}

function cloneSequential(
  model: Sequential,
  copyOf: (layer: Layer) => Layer,
  inputTensors: SymbolicStructure | null,
): Sequential {
  const layers = model.layers.map(copyOf);
  const { functional, name, trainable } = model;
  const reference = functional?.inputs[0]?.history?.operation ?? null;
  const given = inputTensors === null ? null : flatten<unknown>(inputTensors as never);
  if (given && (given.length !== 1 || !(given[0] instanceof KerasTensor)))
    throw new TypeError("`inputTensors` of a Sequential must be one symbolic tensor.");
  const input = given
    ? Input({ tensor: given[0] as KerasTensor, name: reference?.name ?? null })
    : reference instanceof InputLayer
      ? Input({ batchShape: reference.batchShape, dtype: reference.computeDtype, name: reference.name })
      : null;
  return new Sequential(input ? [input, ...layers] : layers, { name, trainable });
}

function cloneFunctional(
  model: Functional,
  copyOf: (layer: Layer) => Layer,
  inputTensors: SymbolicStructure | null,
  callFunction: CloneOptions["callFunction"],
): Functional {
  const inputs =
    inputTensors ??
    mapStructure(
      (x: KerasTensor) => Input({ batchShape: x.shape, dtype: x.dtype, name: x.name }),
      model.inputsStructure as KerasTensor,
    );
  const known = new Map<KerasTensor, unknown>();
  flatten<KerasTensor>(inputs as never).forEach((x, i) => known.set(model.inputs[i]!, x));
  const apply = (operation: Operation, args: readonly unknown[]): unknown => {
    if (operation instanceof OpOperation) return new OpOperation(operation.op).symbolicCall(args);
    const layer = copyOf(operation as Operation & Layer);
    return callFunction ? callFunction(layer, ...args) : layer<unknown>(...(args as [never]));
  };
  for (const node of model.graph.nodes) {
    if (node.isInput) continue;
    const args = node.args.map((arg) => replaceSymbolic(arg, (x) => known.get(x)));
    flatten(apply(node.operation, args)).forEach((y, i) => known.set(node.outputs[i]!, y));
  }
  const outputs = packSequenceAs(
    model.outputsStructure,
    model.outputs.map((y) => known.get(y) as KerasTensor),
  );
  const options = { inputs: inputs as SymbolicStructure, outputs: outputs as SymbolicStructure, name: model.name };
  return new Functional(options);
}
