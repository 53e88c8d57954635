import { addon } from "./library.js";

/** An op of libtorch, found. */
export interface OpInfo {
  readonly id: number;
  /** Kinds of its arguments, without the mark of those that may be None. */
  readonly kinds: readonly string[];
  /** Whether it writes into its first argument and gives that back. */
  readonly writes: boolean;
}

const found = new Map<string, OpInfo>();

function split(op: string): { readonly name: string; readonly overload: string } {
  const [name, overload = ""] = op.split(".") as [string, string?];
  return { name: name.includes("::") ? name : `aten::${name}`, overload };
}

/** This libtorch is too old, or built without an op that a kernel is written in: its primitive is left to the built-in engine. */
export class MissingOpError extends Error {}

/** Whether this libtorch has an op, as "add.Tensor" or "keras::threefry2x32". */
export function hasOp(op: string): boolean {
  if (found.has(op)) return true;
  const { name, overload } = split(op);
  return addon.hasOp(name, overload);
}

/** The op of a name and overload. Throws a MissingOpError when this libtorch lacks it. */
export function findOp(op: string): OpInfo {
  const known = found.get(op);
  if (known) return known;
  const { name, overload } = split(op);
  if (!addon.hasOp(name, overload)) throw new MissingOpError(`libtorch ${addon.torchVersion} has no op ${op}.`);
  const id = addon.opId(name, overload);
  const kinds = addon.argumentKinds(id).map((kind) => kind.replace(/\?$/, ""));
  const info = { id, kinds, writes: name.endsWith("_") };
  found.set(op, info);
  return info;
}
