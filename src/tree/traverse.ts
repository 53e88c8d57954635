import { type Nested, nodeOf } from "./node.js";

/** Returned by the function of `traverse` to put null in the place of a part. */
export const MAP_TO_NONE: unique symbol = Symbol("keras.tree.MAP_TO_NONE");

/**
 * Visits every part of a structure, containers and leaves, depth first. What `fn` returns replaces the part; null and undefined leave
 * it. Containers come before their parts, and are not entered once replaced; with `topDown: false` they come after them.
 */
export function traverse(
  fn: (part: unknown) => unknown,
  structure: unknown,
  { topDown = true }: { readonly topDown?: boolean } = {},
): unknown {
  const inside = (part: unknown): unknown => {
    const node = nodeOf(part);
    return node ? node.rebuild(node.children.map(visit)) : part;
  };
  const visit = (part: unknown): unknown => {
    const before = topDown ? part : inside(part);
    const replacement = fn(before) ?? null;
    if (replacement === MAP_TO_NONE) return null;
    if (replacement !== null) return replacement;
    return topDown ? inside(part) : before;
  };
  return visit(structure);
}

/** The structure itself: JavaScript has one kind of list. Kept for code that comes from Python. */
export const listsToTuples = <T>(structure: Nested<T>): Nested<T> => structure;
