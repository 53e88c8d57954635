import { deserializeKerasObject } from "../config/deserialize.js";
import type { Config } from "../config/field.js";
import type { Operation } from "../core/graph.js";
import type { KerasTensor } from "../core/keras-tensor.js";
import { findOp, OpOperation } from "../core/op.js";
import { isPlainObject } from "../layers/base/shapes.js";
import { isLayer } from "../layers/base/state.js";
import type { Layer } from "../layers/layer.js";
import { snakeToCamel } from "../utils/naming.js";
import { PyFloat, withoutPyFloats } from "../utils/py-float.js";
import { showValue } from "../utils/show-value.js";
import { isGraphModel } from "./graph-model.js";
import type { GraphOptions, SymbolicStructure } from "./model.js";

interface SavedNode {
  readonly args: readonly unknown[];
  readonly kwargs: Readonly<Record<string, unknown>>;
}
interface Created {
  readonly operation: Operation;
  /** Arguments of an op that its config holds, by Python's names. */
  readonly config: Config;
  readonly nodes: SavedNode[];
}
type Operations = ReadonlyMap<string, Created>;

/** Thrown inside this file when a node refers to one that does not exist yet. */
class NotYet extends Error {}

/** The graph of a saved Functional: its layers are made, then called as they were. Throws when the calls cannot be put in an order. */
export function readFunctionalConfig(config: Config): GraphOptions {
  const created = new Map<string, Created>();
  for (const saved of config["layers"] as Config[]) created.set(String(saved["name"]), create(saved));
  replay(created);
  const ends = (saved: unknown): SymbolicStructure => readEnds(saved, created);
  return {
    inputs: ends(config["input_layers"]),
    outputs: ends(config["output_layers"]),
    name: (config["name"] as string | undefined) ?? null,
    ...(typeof config["trainable"] === "boolean" && { trainable: config["trainable"] }),
  };
}

function create(saved: Config): Created {
  const { inbound_nodes: nodes, name, ...envelope } = saved;
  const module = String(envelope["module"] ?? "");
  const area = /^keras\.src\.ops\.(\w+)$/.exec(module)?.[1];
  const calls = (nodes as unknown[]).map(readNode);
  if (area === undefined) {
    const operation = deserializeKerasObject(envelope);
    if (!isLayer(operation)) throw new TypeError(`"${String(name)}" is no layer. Received: ${showValue(operation)}.`);
    return { operation, config: {}, nodes: calls };
  }
  const op = findOp(`${area}.${String(envelope["class_name"])}`);
  if (!op) throw new TypeError(`There is no op \`${module}.${String(envelope["class_name"])}\`.`);
  const { name: opName, ...config } = (envelope["config"] ?? {}) as Config;
  return { operation: new OpOperation(op, String(opName ?? name)), config, nodes: calls };
}

/** Calls of Keras 2 are lists of [name, node, tensor, kwargs]. */
function readNode(saved: unknown): SavedNode {
  if (!Array.isArray(saved)) return saved as SavedNode;
  const tensors = saved.map(([layer, node, tensor]: [string, number, number]) => ({
    class_name: "__keras_tensor__",
    config: { keras_history: [layer, node, tensor] },
  }));
  const kwargs = (saved[0] as unknown[])[3] ?? {};
  return { args: [tensors.length === 1 ? tensors[0] : tensors], kwargs: kwargs as Config };
}

/** Makes the calls, layer by layer as far as each comes, until all are made. */
function replay(created: Operations): void {
  const waiting = new Map(
    [...created].filter(([, { nodes }]) => nodes.length > 0).map(([name, { nodes }]) => [name, [...nodes]]),
  );
  while (waiting.size > 0) {
    let progress = false;
    for (const [name, nodes] of waiting) {
      while (nodes.length > 0 && tryCall(created.get(name)!, nodes[0]!, created)) {
        nodes.shift();
        progress = true;
      }
      if (nodes.length === 0) waiting.delete(name);
    }
    if (!progress)
      throw new Error(
        `The saved model has a loop or misses layers: these calls lack their inputs: ${[...waiting.keys()].join(", ")}.`,
      );
  }
}

function tryCall(target: Created, node: SavedNode, created: Operations): boolean {
  try {
    const args = node.args.map((arg) => readArgument(arg, created));
    const kwargs = Object.entries(node.kwargs).map(([key, value]) => [key, readArgument(value, created)] as const);
    if (isLayer(target.operation)) callLayer(target.operation, args, kwargs);
    else callOp(target, args, kwargs);
    return true;
  } catch (error) {
    if (error instanceof NotYet) return false;
    throw error;
  }
}

function callLayer(layer: Layer, args: unknown[], kwargs: readonly (readonly [string, unknown])[]): void {
  const { callArguments } = layer.constructor as typeof Layer;
  const options: Record<string, unknown> = {};
  for (const [key, value] of kwargs) {
    const name = snakeToCamel(key);
    const place = callArguments.indexOf(name);
    if (place >= 0) args[place] = value;
    else options[name] = value;
  }
  const positional = args.map(withoutPyFloats);
  const plain = withoutPyFloats(options) as object;
  (layer as unknown as (...all: unknown[]) => unknown)(
    ...positional,
    ...(Object.keys(plain).length > 0 ? [plain] : []),
  );
}

function callOp(
  { operation, config }: Created,
  args: unknown[],
  kwargs: readonly (readonly [string, unknown])[],
): void {
  const { op } = operation as OpOperation;
  const { static: names = [], rename = {} } = op.options;
  const ours = new Map(Object.entries(rename).map(([camel, python]) => [python, camel]));
  const given = new Map<string, unknown>([...Object.entries(withoutPyFloats(config) as Config), ...kwargs]);
  const statics = names.filter((name) => given.has(name)).map((name) => given.get(name));
  for (const name of names) given.delete(name);
  const options = Object.fromEntries([...given].map(([key, value]) => [ours.get(key) ?? snakeToCamel(key), value]));
  // `einsum` is the one op whose plain argument comes before its tensors.
  const positional = op.opName === "numpy.Einsum" ? [...statics, ...args] : [...args, ...statics];
  (operation as OpOperation).symbolicCall(Object.keys(options).length > 0 ? [...positional, options] : positional);
}

/** A saved argument, with the symbolic tensors of the new graph in it. Floats stay marked: an op takes `1.0` for a float. */
function readArgument(value: unknown, created: Operations): unknown {
  if (Array.isArray(value)) return value.map((item) => readArgument(item, created));
  if (value instanceof PyFloat || !isPlainObject(value)) return value;
  if (value["class_name"] === "__keras_tensor__") {
    const { keras_history: history } = value["config"] as { keras_history: [string, number, number] };
    return tensorAt(history, created);
  }
  if (typeof value["class_name"] === "string" && "config" in value) return deserializeKerasObject(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, readArgument(item, created)]));
}

function tensorAt([name, node, tensor]: readonly [string, number, number], created: Operations): KerasTensor {
  const source = created.get(name);
  if (!source) throw new TypeError(`The saved model refers to a layer "${name}" that it does not hold.`);
  const made = source.operation.inboundNodes[node];
  if (!made) throw new NotYet();
  const found = made.outputs[tensor];
  if (!found) throw new RangeError(`The layer "${name}" has ${made.outputs.length} outputs, not one number ${tensor}.`);
  return found;
}

/** `input_layers` or `output_layers`: [name, node, tensor] at the leaves. */
function readEnds(saved: unknown, created: Operations): SymbolicStructure {
  if (Array.isArray(saved) && saved.length === 3 && typeof saved[0] === "string") {
    const [name, node, tensor] = saved.map(withoutPyFloats) as [string, number, number];
    const operation = created.get(name)?.operation;
    return tensorAt([name, operation && isGraphModel(operation) ? node - 1 : node, tensor], created);
  }
  if (Array.isArray(saved)) return saved.map((item) => readEnds(item, created));
  const entries = Object.entries(saved as object).map(([key, item]) => [key, readEnds(item, created)] as const);
  return Object.fromEntries(entries);
}
