import { type Nested, type Path, nodeOf, showPath } from "./node.js";

/** The leaves of a structure in order; the values of plain objects in the order of their sorted keys. */
export function flatten<T = unknown>(structure: Nested<NoInfer<T>>): T[] {
  const leaves: unknown[] = [];
  collect(structure, leaves);
  return leaves as T[];
}
function collect(part: unknown, leaves: unknown[]): void {
  const children = Array.isArray(part) ? part : nodeOf(part)?.children;
  if (!children) leaves.push(part);
  else for (const child of children) collect(child, leaves);
}

/** The leaves of a structure in order, each with the indices and keys that lead to it. */
export function flattenWithPath<T = unknown>(structure: Nested<NoInfer<T>>): [path: Path, leaf: T][] {
  const leaves: [Path, T][] = [];
  visit(structure, [], (leaf, path) => leaves.push([path, leaf as T]));
  return leaves;
}

/** A structure like `structure` with other leaves, in the order of `flatten`; throws a TypeError unless their number is the same. */
export function packSequenceAs<T>(structure: unknown, flatSequence: readonly T[]): Nested<T> {
  if (!Array.isArray(flatSequence)) throw new TypeError("`packSequenceAs` needs an array of leaves.");
  let used = 0;
  const pack = (part: unknown): unknown => {
    const node = nodeOf(part);
    return node ? node.rebuild(node.children.map(pack)) : flatSequence[used++];
  };
  const packed = pack(structure);
  if (used !== flatSequence.length) {
    throw new TypeError(`The structure has ${used} leaves. Received: ${flatSequence.length}.`);
  }
  return packed as Nested<T>;
}

/** Throws a TypeError unless two structures have their leaves at the same paths, whatever their containers are. */
export function assertSamePaths(a: unknown, b: unknown): void {
  const [pathsOfA, pathsOfB] = [pathTable(a), pathTable(b)];
  const missing = (from: ReadonlyMap<string, Path>, other: ReadonlyMap<string, Path>, where: string) => {
    const paths = [...from].filter(([key]) => !other.has(key)).map(([, path]) => showPath(path));
    return paths.length === 0 ? "" : ` Only in ${where}: ${paths.join(", ")}.`;
  };
  const differences = missing(pathsOfA, pathsOfB, "the first") + missing(pathsOfB, pathsOfA, "the second");
  if (differences) throw new TypeError(`The structures have leaves at different paths.${differences}`);
}

/** Indices and keys of the same text differ: `0` is not `"0"`. */
function pathTable(structure: unknown): ReadonlyMap<string, Path> {
  const entries = flattenWithPath(structure).map(([path]): [string, Path] => [
    JSON.stringify(path.map((key) => (typeof key === "number" ? key : String(key)))),
    path,
  ]);
  return new Map(entries);
}

function visit(structure: unknown, path: Path, onLeaf: (leaf: unknown, path: Path) => void): void {
  const node = nodeOf(structure);
  if (!node) return onLeaf(structure, path);
  node.children.forEach((child, i) => visit(child, [...path, node.keys[i]], onLeaf));
}
