import type { Envelope } from "../config/envelope.js";
import type { Config, Json } from "../config/field.js";
import { serializeEllipsis, serializeSlice, serializeValue } from "../config/serialize.js";
import type { Node, Operation } from "../core/graph.js";
import { KerasTensor } from "../core/keras-tensor.js";
import { OpOperation } from "../core/op.js";
import { isLayer } from "../layers/base/state.js";
import { isPlainObject } from "../layers/base/shapes.js";
import { mapStructure } from "../tree/index.js";
import { camelToSnake } from "../utils/naming.js";
import type { Functional } from "./functional.js";
import { isGraphModel } from "./graph-model.js";

/** Where a tensor comes from, in saved files: name of the operation, index of its node within the model, index of the output. */
type Place = [name: string, node: number, tensor: number];

/** The saved form of a graph: its layers and ops in order, each with the calls that belong to the model. */
export function functionalConfig(model: Functional): Config {
  const nodes = new Set(model.graph.nodes);
  const placeOf = ({ history }: KerasTensor): Place => {
    const { operation, nodeIndex, tensorIndex } = history!;
    const earlier = operation.inboundNodes.slice(0, nodeIndex).filter((node) => nodes.has(node));
    return [operation.name, earlier.length, tensorIndex];
  };
  // Models inside a model count one node more here, but not inside `inbound_nodes`.
  const endOf = (x: KerasTensor): Place => {
    const [name, node, tensor] = placeOf(x);
    return [name, isGraphModel(x.history!.operation) ? node + 1 : node, tensor];
  };
  return {
    name: model.name,
    trainable: model.trainable,
    layers: model.operations.map((operation) => {
      const own = operation.inboundNodes.filter((node) => nodes.has(node) && !node.isInput);
      return {
        ...(savedOperation(operation) as object),
        name: operation.name,
        inbound_nodes: own.map((node) => savedNode(node, placeOf)),
      };
    }),
    input_layers: mapStructure(endOf, model.inputsStructure as KerasTensor),
    output_layers: mapStructure(endOf, model.outputsStructure as KerasTensor),
  };
}

function savedOperation(operation: Operation): Json {
  if (!(operation instanceof OpOperation)) return serializeValue(operation);
  const [area, className] = splitOpName(operation.op.opName);
  const config = operation.configOf(operation.inboundNodes[0]!.args) as Config;
  return {
    module: `keras.src.ops.${area}`,
    class_name: className,
    config: serializeValue(config),
    registered_name: className,
  } satisfies Envelope as unknown as Json;
}
const splitOpName = (name: string): [area: string, className: string] => {
  const dot = name.lastIndexOf(".");
  return [name.slice(0, dot), name.slice(dot + 1)];
};

function savedNode({ operation, args }: Node, placeOf: (x: KerasTensor) => Place): Json {
  const write = (value: unknown): Json => {
    if (value instanceof KerasTensor) {
      const config = { shape: [...value.shape], dtype: value.dtype, keras_history: placeOf(value) };
      return { class_name: "__keras_tensor__", config };
    }
    if (Array.isArray(value)) return value.map(write);
    if (isPlainObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, write(item)]));
    return serializeValue(value);
  };
  const last = args.length > 1 ? args.at(-1) : undefined;
  const options = isPlainObject(last) ? last : null;
  const positional = options ? args.slice(0, -1) : args;
  const rename = operation instanceof OpOperation ? (operation.op.options.rename ?? {}) : {};
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  const kwargs = Object.fromEntries(given.map(([key, value]) => [rename[key] ?? camelToSnake(key), write(value)]));
  if (isLayer(operation)) return { args: positional.map(write), kwargs };
  return opNode(operation as OpOperation, args, write);
}

/** An op keeps its plain arguments in its config; the node holds the others. */
function opNode(operation: OpOperation, args: readonly unknown[], write: (value: unknown) => Json): Json {
  const { opName } = operation.op;
  const { static: names = [], rename = {} } = operation.op.options;
  if (opName === "numpy.GetItem") return { args: [write(args[0]), savedIndex(args[1])], kwargs: {} };
  const config = operation.configOf(args);
  const options = isPlainObject(args.at(-1)) ? (args.at(-1) as Config) : {};
  let statics = names.length;
  const positional = args.filter((arg) => {
    if (arg === options) return false;
    return holdsSymbolic(arg) || statics-- <= 0;
  });
  const kwargs = Object.entries(options).filter(
    ([key, value]) => value !== undefined && !((rename[key] ?? camelToSnake(key)) in config),
  );
  return {
    args: positional.map(write),
    kwargs: Object.fromEntries(kwargs.map(([key, value]) => [rename[key] ?? camelToSnake(key), write(value)])),
  };
}
const holdsSymbolic = (value: unknown): boolean => {
  let found = value instanceof KerasTensor;
  if (!found) mapStructure((leaf: unknown) => (found ||= leaf instanceof KerasTensor), value);
  return found;
};

/** An index as Python's `x[...]` saves it: slices and "..." in envelopes. */
function savedIndex(index: unknown): Json {
  if (Array.isArray(index)) return index.map(savedIndex);
  if (index === "...") return serializeEllipsis();
  return isPlainObject(index) ? serializeSlice(index) : serializeValue(index);
}
