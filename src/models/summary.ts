import { dtypeBytes } from "../core/dtype.js";
import type { Operation } from "../core/graph.js";
import { OpOperation } from "../core/op.js";
import type { SymbolicShape } from "../core/keras-tensor.js";
import type { Variable } from "../core/variable.js";
import { isPlainObject, isShape } from "../layers/base/shapes.js";
import { isLayer, STATE } from "../layers/base/state.js";
import type { Layer } from "../layers/layer.js";
import { mapStructure } from "../tree/index.js";
import { printText, terminalColumns } from "../utils/print-text.js";
import type { Graph } from "./map-graph.js";
import type { Model } from "./model.js";
import { type Column, renderTable } from "./text-table.js";

/** How to print a summary. */
export interface SummaryOptions {
  /** Width of the table in characters: that of the terminal at most, when left out. */
  readonly lineLength?: number | null;
  /** Where the columns end, as fractions of the width. */
  readonly positions?: readonly number[] | null;
  /** Gets the whole text in place of the console. */
  readonly printFn?: ((text: string) => void) | null;
  /** Whether the layers of inner models are listed too. */
  readonly expandNested?: boolean;
  /** Whether a column tells which layers are trained. */
  readonly showTrainable?: boolean;
  /** Names, or regular expressions, of the first and the last layer to list. */
  readonly layerRange?: readonly [string, string] | null;
}

/** What summaries ask of a trained model. */
interface Compiled {
  readonly compiled?: boolean;
  readonly optimizer?: { readonly built: boolean; readonly variables: readonly Variable[] } | null;
}

/** Prints the table of a model's layers, as Python Keras does. */
export function printSummary(model: Model, { printFn = null, ...options }: SummaryOptions): void {
  const text = summaryText(model, options);
  if (printFn) printFn(text);
  else printText(text.trimEnd());
}

/** The text of a summary, ending in a newline. */
function summaryText(model: Model, options: Omit<SummaryOptions, "printFn"> = {}): string {
  const { expandNested = false, showTrainable = false, layerRange = null } = options;
  const graph = (model as { graph?: Graph }).graph ?? null;
  const connected = graph !== null && !isChain(graph);
  const width =
    options.lineLength || Math.min((connected ? 108 : 88) + (showTrainable ? 12 : 0), terminalColumns() - 4);
  const positions = options.positions ?? (connected ? [0.3, 0.56, 0.74, 1] : [0.45, 0.8, 1]);
  const columns = columnsFor(width, connected, showTrainable, positions);
  const operations: readonly Operation[] = graph?.operations ?? model.layers;
  const rows = inRange(operations, layerRange).flatMap((operation) =>
    rowsOf(operation, 0, { graph: connected ? graph : null, expandNested, showTrainable }),
  );
  return [`Model: "${model.name}"`, ...renderTable(columns, rows, width), ...totals(model), ""].join("\n");
}

/** Whether every layer just follows the one before, without sharing. */
function isChain({ nodes, depths }: Graph): boolean {
  const seen = new Set<number>();
  for (const { operation, inputs } of nodes) {
    const depth = depths.get(operation)!;
    if (seen.has(depth) || inputs.length > 1) return false;
    seen.add(depth);
  }
  return new Set(nodes.map(({ operation }) => operation)).size === nodes.length;
}

function columnsFor(width: number, connected: boolean, showTrainable: boolean, positions: readonly number[]): Column[] {
  const ends = showTrainable ? [...positions.map((position) => position * 0.9), 1] : positions;
  const kinds: Omit<Column, "width">[] = [
    { header: "Layer (type)", align: "left" },
    { header: "Output Shape", align: "left" },
    { header: "Param #", align: "right" },
    ...(connected ? [{ header: "Connected to", align: "left" } as const] : []),
    ...(showTrainable ? [{ header: "Trainable", align: "center" } as const] : []),
  ];
  let used = 0;
  return kinds.map((kind, i) => {
    const own = Math.trunc((ends[i] ?? 1) * width) - used;
    if (own < 4) throw new RangeError(`A summary of ${kinds.length} columns does not fit into ${width} characters.`);
    used += own;
    return { ...kind, width: own };
  });
}

interface RowOptions {
  /** The graph whose connections are listed; null for none. */
  readonly graph: Graph | null;
  readonly expandNested: boolean;
  readonly showTrainable: boolean;
}

function rowsOf(operation: Operation, level: number, options: RowOptions): string[][] {
  const { graph, expandNested, showTrainable } = options;
  const prefix = level > 0 ? `${"   ".repeat(level)}└ ` : "";
  const layer = isLayer(operation) ? operation : null;
  const className = operation instanceof OpOperation ? operation.op.opName.split(".").at(-1) : classNameOf(operation);
  const row = [`${prefix}${operation.name} (${className})`, outputShape(operation), parameters(layer)];
  if (graph) row.push(connections(operation, graph));
  if (showTrainable) row.push(layer && layer.weights.length > 0 ? (layer.trainable ? "Y" : "N") : "-");
  const inner = expandNested && layer && "layers" in layer ? (layer as Layer & { layers: unknown }).layers : [];
  const nested = Array.isArray(inner) ? inner.filter(isLayer) : [];
  return [row, ...nested.flatMap((one) => rowsOf(one, level + 1, options))];
}

const classNameOf = (operation: Operation): string => (operation.constructor as unknown as typeof Layer).className;

const parameters = (layer: Layer | null): string => {
  if (!layer) return "0";
  return layer.built ? commas(layer.countParams()) : "0 (unbuilt)";
};

/** Of the last call; or from the shapes the layer was built with. */
function outputShape(operation: Operation): string {
  const last = operation.inboundNodes.at(-1);
  if (last) return showShapes(mapStructure((y: { shape: SymbolicShape }) => ({ shape: y.shape }), last.outputs));
  if (!isLayer(operation)) return "?";
  const { buildShapes } = operation[STATE];
  if (!buildShapes) return "?";
  try {
    const own = (operation as { outputShape?: unknown }).outputShape;
    return showShapes(own ?? operation.computeOutputShape(...buildShapes));
  } catch {
    // Layers that cannot tell without data.
    return "?";
  }
}

function showShapes(shapes: unknown): string {
  const show = (value: unknown): string => {
    if (isHolder(value)) return show(value.shape);
    if (isShape(value)) return `(${value.map((dim) => dim ?? "None").join(", ")})`;
    if (Array.isArray(value)) return `[${value.map(show).join(", ")}]`;
    if (!isPlainObject(value)) return String(value);
    return `{${Object.entries(value)
      .map(([key, item]) => `${key}: ${show(item)}`)
      .join(", ")}}`;
  };
  return Array.isArray(shapes) && shapes.length === 1 && !isShape(shapes) ? show(shapes[0]) : show(shapes);
}
const isHolder = (value: unknown): value is { shape: SymbolicShape } =>
  isPlainObject(value) && Object.keys(value).length === 1 && isShape(value["shape"]);

function connections(operation: Operation, { nodes }: Graph): string {
  const own = operation.inboundNodes.filter((node) => nodes.includes(node));
  const sources = own.flatMap(({ inputs }) =>
    inputs.map(({ history }) => `${history!.operation.name}[${history!.nodeIndex}][${history!.tensorIndex}]`),
  );
  return sources.join(", ") || "-";
}

function inRange(operations: readonly Operation[], range: readonly [string, string] | null): readonly Operation[] {
  if (range === null) return operations;
  const matching = (pattern: string): number[] =>
    operations.flatMap(({ name }, i) => (new RegExp(`^(?:${pattern})`).test(name) ? [i] : []));
  const [lower, upper] = [matching(range[0]), matching(range[1])];
  if (lower.length === 0 || upper.length === 0)
    throw new RangeError(`\`layerRange\` must name layers of the model. Received: ${range.join(", ")}.`);
  const [from, to] = [Math.min(...lower), Math.max(...upper)];
  return from > to ? operations.slice(Math.min(...upper), Math.max(...lower) + 1) : operations.slice(from, to + 1);
}

function totals(model: Model): string[] {
  const trainable = sizeOf(model.trainableWeights);
  const frozen = sizeOf(model.nonTrainableWeights);
  const { compiled, optimizer } = model as Compiled;
  const extra = compiled && optimizer?.built ? sizeOf(optimizer.variables) : null;
  const line = (what: string, { count, bytes }: Size): string => ` ${what}: ${commas(count)} (${readable(bytes)})`;
  const parts = [trainable, frozen, ...(extra ? [extra] : [])];
  const all = {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  return [
    line("Total params", all),
    line("Trainable params", trainable),
    line("Non-trainable params", frozen),
    ...(extra ? [line("Optimizer params", extra)] : []),
  ];
}

interface Size {
  readonly count: number;
  readonly bytes: number;
}
function sizeOf(variables: readonly Variable[]): Size {
  let [count, bytes] = [0, 0];
  for (const { shape, dtype } of variables) {
    const size = shape.reduce((product, dim) => product * dim, 1);
    count += size;
    // Keras counts booleans as bits.
    bytes += dtype === "bool" ? size / 8 : size * dtypeBytes(dtype);
  }
  return { count, bytes };
}

const commas = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
function readable(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB", "PB"];
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(2)} ${units[unit]}`;
}
