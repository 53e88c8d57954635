import { type Nested, type Node, type Path, describeNode, nodeOf, showPath } from "./node.js";

/** The structure that `S` becomes when its leaves of type `Leaf` become `R`. */
export type Mapped<S, Leaf, R> = unknown extends Leaf
  ? Nested<R>
  : S extends Leaf
    ? R
    : S extends readonly unknown[]
      ? { -readonly [K in keyof S]: Mapped<S[K], Leaf, R> }
      : S extends ReadonlyMap<infer K, infer V>
        ? Map<K, Mapped<V, Leaf, R>>
        : S extends object
          ? { -readonly [K in keyof S]: Mapped<S[K], Leaf, R> }
          : Nested<R>;

/** How `mapStructures` takes null. */
export interface MapOptions {
  /** Whether null is a leaf like any other. If not, `fn` never sees it and it stays in its place. By default true. */
  readonly noneIsLeaf?: boolean;
}

/**
 * A structure with the results of `fn` for the leaves of the given structures, in the form of the first one. Throws a TypeError where
 * the structures differ; plain objects and Maps with the same keys do not.
 */
export function mapStructure<Leaf, R, S>(
  fn: (leaf: Leaf, ...others: Leaf[]) => R,
  structure: S,
  ...others: readonly unknown[]
): Mapped<S, Leaf, R> {
  return mapStructures(fn, [structure, ...others]);
}

/** `mapStructure` for a list of structures, where null may be no leaf: `mapStructures(fn, [a, b], { noneIsLeaf: false })`. */
export function mapStructures<Leaf, R, S>(
  fn: (leaf: Leaf, ...others: Leaf[]) => R,
  structures: readonly [S, ...unknown[]],
  { noneIsLeaf = true }: MapOptions = {},
): Mapped<S, Leaf, R> {
  if (structures.length === 0) throw new TypeError("`mapStructure` needs at least one structure.");
  const onLeaf = (leaves: readonly unknown[], path: Path) => {
    for (const leaf of leaves) if (nodeOf(leaf)) throw mismatch(path, null, nodeOf(leaf));
    if (noneIsLeaf || leaves.every((leaf) => (leaf ?? null) !== null)) return fn(...(leaves as [Leaf, ...Leaf[]]));
    if (leaves.some((leaf) => (leaf ?? null) !== null)) {
      throw new TypeError(`The structures differ at ${showPath(path)}: only some have null there.`);
    }
    return null;
  };
  return walk(structures, [], onLeaf) as Mapped<S, Leaf, R>;
}

/**
 * A structure in the form of `shallowStructure` with the results of `fn` for what the structures have at its leaves, be it a leaf or
 * not. Throws a TypeError where a structure is shallower.
 */
export function mapStructureUpTo<R>(
  shallowStructure: unknown,
  fn: (...parts: never[]) => R,
  ...structures: readonly unknown[]
): Nested<R> {
  if (structures.length === 0) throw new TypeError("`mapStructureUpTo` needs at least one structure.");
  return walk([shallowStructure, ...structures], [], ([, ...parts]) => fn(...(parts as never[]))) as Nested<R>;
}

/** Throws a TypeError unless two structures are nested in the same way; leaves do not matter. */
export function assertSameStructure(a: unknown, b: unknown): void {
  mapStructure(() => null, a, b);
}

/** `mapStructure` that takes arrays of integers and nulls for leaves, because they are shapes. */
export function mapShapeStructure<R>(fn: (shape: readonly (number | null)[]) => R, structure: unknown): Nested<R> {
  const node = isShape(structure) ? null : nodeOf(structure);
  if (!node) return fn(structure as readonly (number | null)[]);
  return node.rebuild(node.children.map((child) => mapShapeStructure(fn, child))) as Nested<R>;
}

const isShape = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => item === null || Number.isInteger(item));

/** Walks along the first structure; `onLeaf` gets what all have where the first has a leaf. */
function walk(
  structures: readonly unknown[],
  path: Path,
  onLeaf: (parts: readonly unknown[], path: Path) => unknown,
): unknown {
  const first = nodeOf(structures[0]);
  if (!first) return onLeaf(structures, path);
  const columns = structures.map((structure) => childrenLike(first, nodeOf(structure), path));
  return first.rebuild(
    first.keys.map((key, i) =>
      walk(
        columns.map((column) => column[i]),
        [...path, key],
        onLeaf,
      ),
    ),
  );
}

/** The children of `node` in the order of `model`. */
function childrenLike(model: Node, node: Node | null, path: Path): readonly unknown[] {
  if (!node || node.kind !== model.kind || node.keys.length !== model.keys.length) throw mismatch(path, model, node);
  if (node.kind === "list") return node.children;
  const byKey = new Map(node.keys.map((key, i) => [key, node.children[i]]));
  for (const key of model.keys) if (!byKey.has(key)) throw mismatch(path, model, node);
  return model.keys.map((key) => byKey.get(key));
}

const mismatch = (path: Path, expected: Node | null, found: Node | null): TypeError =>
  new TypeError(
    `The structures differ at ${showPath(path)}: one has ${describeNode(expected)}, another ${describeNode(found)}.`,
  );
