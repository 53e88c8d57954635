/** A structure of leaves: arrays, plain objects and Maps nested in each other. */
export type Nested<T> =
  T | readonly Nested<T>[] | { readonly [key: string]: Nested<T> } | ReadonlyMap<unknown, Nested<T>>;

/** Where a leaf is: the indices and keys that lead to it. */
export type Path = readonly unknown[];

/** One container: its children in the order in which they are flattened, and how to make it anew from others. */
export interface Node {
  /** Plain objects and Maps are the same kind. */
  readonly kind: "list" | "dict";
  readonly keys: readonly unknown[];
  readonly children: readonly unknown[];
  /** A container like this one with other children, given in the same order. */
  rebuild(children: readonly unknown[]): unknown;
}

/**
 * The container `structure` is, or null for a leaf: arrays, plain objects (in the order of their sorted keys) and Maps (in their own
 * order) are containers; typed arrays, instances of classes, functions, strings and null are leaves.
 */
export function nodeOf(structure: unknown): Node | null {
  if (typeof structure !== "object" || structure === null) return null;
  if (Array.isArray(structure)) {
    return { kind: "list", keys: [...structure.keys()], children: structure, rebuild: (children) => [...children] };
  }
  if (structure instanceof Map) {
    const keys = [...structure.keys()] as unknown[];
    const rebuild = (children: readonly unknown[]) => new Map(keys.map((key, i) => [key, children[i]]));
    return { kind: "dict", keys, children: [...structure.values()] as unknown[], rebuild };
  }
  const prototype: unknown = Object.getPrototypeOf(structure);
  if (prototype !== Object.prototype && prototype !== null) return null;
  const object = structure as Record<string, unknown>;
  const own = Object.keys(object);
  const order = own.map((_, i) => i).sort((i, j) => byCodePoint(own[i]!, own[j]!));
  const keys = order.map((i) => own[i]!);
  return {
    kind: "dict",
    keys,
    children: keys.map((key) => object[key]),
    // The same keys in the same order of insertion, with other values.
    rebuild(children) {
      const values: unknown[] = [];
      for (let k = 0; k < order.length; k++) values[order[k]!] = children[k];
      const copy: Record<string, unknown> = {};
      for (let i = 0; i < own.length; i++) put(copy, own[i]!, values[i]);
      return copy;
    },
  };
}

/** Adds a property; one named `__proto__` too, which an assignment would take for the prototype. */
function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Python's order of strings. JavaScript's own comparison puts surrogate pairs before some single units. */
function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}
/** Halves of surrogate pairs behind all other units. */
const rank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

/** Whether `structure` is a container, an empty one included. */
export const isNested = (structure: unknown): boolean => nodeOf(structure) !== null;

/** `[0].name[2]`, for messages. */
export function showPath(path: Path): string {
  if (path.length === 0) return "the top";
  return `\`${path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "")}\``;
}

/** "an array of 2", "a dict with the keys a, b", "a leaf", for messages. */
export function describeNode(node: Node | null): string {
  if (node === null) return "a leaf";
  return node.kind === "list"
    ? `an array of ${node.keys.length}`
    : `a dict with the keys ${node.keys.map(String).join(", ") || "(none)"}`;
}
