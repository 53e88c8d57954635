import { isBuiltinClass } from "../config/class-names.js";
import type { NDArray } from "../core/ndarray.js";
import { savedAttributes } from "../layers/base/attributes.js";
import { isLayer, STATE } from "../layers/base/state.js";
import type { Layer } from "../layers/layer.js";
import { Functional } from "../models/functional.js";
import { Model } from "../models/model.js";
import { Sequential } from "../models/sequential.js";
import { Optimizer } from "../optimizers/optimizer.js";
import { camelToSnake, toSnakeCase } from "../utils/naming.js";

/** What writes variables of its own into a file. */
export type Saveable = Layer | Optimizer;
/** The files an object keeps beside its variables, by name. */
export type AssetStore = Map<string, Uint8Array>;

/** What an object does that keeps files, such as vocabularies, beside its variables. */
export interface HasAssets {
  saveAssets(store: AssetStore): void | Promise<void>;
  loadAssets(store: ReadonlyMap<string, Uint8Array>): void | Promise<void>;
}

const isSaveable = (value: unknown): value is Saveable => isLayer(value) || value instanceof Optimizer;

export const hasAssets = (object: object): object is HasAssets =>
  typeof (object as Partial<HasAssets>).saveAssets === "function" &&
  typeof (object as Partial<HasAssets>).loadAssets === "function";

/** Own variables of an object, by their index. They are read at once, whenever the values arrive. */
export async function ownVariablesOf(object: Saveable): Promise<Map<string, NDArray>> {
  if (object instanceof Optimizer) {
    const values = await object.saveOwnVariables();
    return new Map(values.map((value, i) => [String(i), value]));
  }
  const store = new Map<string, NDArray>();
  await object.saveOwnVariables(store);
  return store;
}

/** Python's class name where that differs from the public one. */
const pythonClasses: Readonly<Record<string, string>> = { GroupQueryAttention: "GroupedQueryAttention" };

/** What an element of a container is called in paths, before it is made unique. */
function elementName(object: Saveable): string {
  const { className } = object.constructor as typeof Layer;
  return toSnakeCase(pythonClasses[className] ?? className);
}

/**
 * The attributes of an object by Python's names, in the order in which Keras walks through them: `layers` first in graphs and stacks,
 * then by name, private ones last.
 */
function attributesOf(object: Saveable): [name: string, value: unknown][] {
  const attributes = new Map<string, unknown>();
  if (!isLayer(object)) {
    for (const [key, value] of Object.entries(object)) attributes.set(camelToSnake(key), value);
    return sorted(attributes);
  }
  for (const [name, value] of savedAttributes(object)) attributes.set(name, value);
  for (const [name, value] of gettersOf(object)) attributes.set(name, value);
  if (object instanceof Model) {
    attributes.set("layers", object.layers);
    attributes.set("optimizer", (object as { readonly optimizer?: unknown }).optimizer ?? null);
  }
  if (object instanceof Functional || object instanceof Sequential) {
    attributes.delete("layers");
    return [["layers", object.layers], ...sorted(attributes)];
  }
  // Python has no counterpart of layers in `#private` fields; a layer that reports them would lose its weights otherwise.
  return [...sorted(attributes), ["_tracked", object[STATE].tracked]];
}

const sorted = (attributes: ReadonlyMap<string, unknown>): [string, unknown][] =>
  [...attributes].sort(([a], [b]) => (sortKey(a) < sortKey(b) ? -1 : 1));
const sortKey = (name: string): string => (name.startsWith("_") ? `~${name}` : name);

/** Python's properties count as attributes: those are the getters of users' classes. */
function* gettersOf(object: Layer): Generator<[string, unknown]> {
  let prototype = Object.getPrototypeOf(object) as object;
  while (!isBuiltinClass(prototype.constructor)) {
    for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (!get) continue;
      try {
        yield [camelToSnake(key), get.call(object) as unknown];
      } catch {
        // A getter may not be ready to answer; Python passes over it as well.
      }
    }
    const next = Object.getPrototypeOf(prototype) as object | null;
    if (next === null || next === Object.prototype) return;
    prototype = next;
  }
}

/** A saveable below another, and where. */
export interface Child {
  /** Path from the parent. */
  readonly path: string;
  readonly object: Saveable;
  /** Path of the container inside a container that holds it; null when none does. */
  readonly nested: string | null;
}

/** The saveables in the attributes of `object` and in containers there, in order; some may occur more than once. */
export function* childrenOf(object: Saveable): Generator<Child> {
  for (const [name, value] of attributesOf(object)) {
    if (isSaveable(value)) yield { path: name, object: value, nested: null };
    else yield* elementsOf(value, name, null, new Set());
  }
}

function* elementsOf(container: unknown, path: string, nested: string | null, seen: Set<unknown>): Generator<Child> {
  const items = itemsOf(container);
  if (items === null || seen.has(container)) return;
  seen.add(container);
  const used = new Map<string, number>();
  const unique = (name: string): string => {
    const count = (used.get(name) ?? -1) + 1;
    used.set(name, count);
    return count === 0 ? `${path}/${name}` : `${path}/${name}_${count}`;
  };
  for (const item of items) {
    if (isSaveable(item)) yield { path: unique(elementName(item)), object: item, nested };
    else if (itemsOf(item) !== null) {
      const inner = unique("container");
      yield* elementsOf(item, inner, inner, seen);
    }
  }
}

/** The items of an array, plain object, Map or Set; null for anything else. */
function itemsOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return null;
  if (value instanceof Map || value instanceof Set) return [...value.values()];
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? Object.values(value) : null;
}
