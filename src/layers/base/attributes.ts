import { Variable } from "../../core/variable.js";
import { SeedGenerator } from "../../random/seed-generator.js";
import { camelToSnake } from "../../utils/naming.js";
import type { Layer } from "../layer.js";
import { isLayer, STATE } from "./state.js";

/** What a layer asks of a metric that is one of its properties. */
export interface TrackedMetric {
  readonly name: string;
  readonly variables: readonly Variable[];
  updateState(...args: never[]): unknown;
  result(): unknown;
  resetState(): void;
}

/** What a layer's properties hold, in the order of the properties. */
export interface Tracked {
  readonly layers: Layer[];
  readonly variables: Variable[];
  readonly seedGenerators: SeedGenerator[];
  readonly metrics: TrackedMetric[];
}

/**
 * Sublayers, variables, seed generators and metrics among the properties of `layer`, each once: properties in the order in which they
 * were first defined, arrays, plain objects, Maps and Sets included. Private `#fields` cannot be seen: see `Layer.track`.
 */
export function findTracked(layer: Layer): Tracked {
  const found: Tracked = { layers: [], variables: [], seedGenerators: [], metrics: [] };
  const seen = new Set<object>([layer]);
  for (const value of layer[STATE].tracked) visit(value, found, seen);
  for (const key of Object.keys(layer)) visit((layer as unknown as Record<string, unknown>)[key], found, seen);
  return found;
}

function visit(value: unknown, found: Tracked, seen: Set<object>): void {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
  if (Array.isArray(value)) {
    // Shapes and axes need no search.
    if (value.length === 0 || typeof value[0] === "number") return;
    seen.add(value);
    for (const item of value) visit(item, found, seen);
    return;
  }
  if (typeof value === "function") {
    if (value instanceof Function) return;
    seen.add(value);
    if (isLayer(value)) found.layers.push(value);
    else if (isMetric(value)) found.metrics.push(value);
    return;
  }
  seen.add(value);
  if (isLayer(value)) found.layers.push(value);
  else if (value instanceof Variable) found.variables.push(value);
  else if (value instanceof SeedGenerator) found.seedGenerators.push(value);
  else if (isMetric(value)) found.metrics.push(value);
  else if (value instanceof Map || value instanceof Set) for (const item of value.values()) visit(item, found, seen);
  else if (isPlain(value)) for (const item of Object.values(value)) visit(item, found, seen);
}

const isMetric = (value: object): value is TrackedMetric =>
  typeof (value as Partial<TrackedMetric>).updateState === "function" &&
  typeof (value as Partial<TrackedMetric>).resetState === "function";

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Properties by Python's names, as weight files are laid out: `queryDense` is `query_dense` unless the class says otherwise. */
export function savedAttributes(layer: Layer): [name: string, value: unknown][] {
  const { attributeNames } = layer.constructor as typeof Layer;
  return Object.keys(layer).map((key) => [
    attributeNames[key] ?? camelToSnake(key),
    (layer as unknown as Record<string, unknown>)[key],
  ]);
}

/** The layer and all below it, each once: Keras's order, in which the sublayers of a layer come reversed. */
export function flattenLayers(
  root: Layer,
  { includeSelf = true, recursive = true }: { includeSelf?: boolean; recursive?: boolean } = {},
): Layer[] {
  const result: Layer[] = includeSelf ? [root] : [];
  const seen = new Set<Layer>();
  const queue = [...root.sublayers];
  for (let layer = queue.shift(); layer; layer = queue.shift()) {
    if (seen.has(layer)) continue;
    seen.add(layer);
    result.push(layer);
    if (recursive) for (const child of layer.sublayers) queue.unshift(child);
  }
  return result;
}
