import { addon } from "./library.js";

/** An op of libtorch, found. */
export interface OpInfo {
  readonly id: number;
  /** Kinds of its arguments, without the mark of those that may be None. */
  readonly kinds: readonly string[];
  /** Whether it writes into its first argument and gives that back. */
  readonly writes: boolean;
}

const found = new Map<string, OpInfo | null>();

function split(op: string): { readonly name: string; readonly overload: string } {
  const [name, overload = ""] = op.split(".") as [string, string?];
  return { name: name.includes("::") ? name : `aten::${name}`, overload };
}

/** Whether this libtorch has an op, as "add.Tensor" or "keras::threefry2x32". */
export function hasOp(op: string): boolean {
  if (found.get(op)) return true;
  const { name, overload } = split(op);
  return addon.hasOp(name, overload);
}

/** The op of a name and overload. Throws when this libtorch lacks it. */
export function findOp(op: string): OpInfo {
  const known = found.get(op);
  if (known) return known;
  const { name, overload } = split(op);
  const id = addon.opId(name, overload);
  const kinds = addon.argumentKinds(id).map((kind) => kind.replace(/\?$/, ""));
  const info = { id, kinds, writes: name.endsWith("_") };
  found.set(op, info);
  return info;
}
