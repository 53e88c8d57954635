/// <reference lib="esnext.disposable" preserve="true" />
import type { DType } from "./dtype.js";
import { Dynamic } from "./dynamic.js";
import { onClearSession } from "./settings.js";
import { dispose } from "../utils/dispose.js";

/** Casts the float values of variables to `dtype` where they are read; null turns an outer scope off. */
export const autocastDType = new Dynamic<DType | null | undefined>(undefined);

interface NameEntry {
  readonly name: string;
  readonly caller: object | null;
  /** Replaces everything before this entry. */
  readonly overrideParent: string | null;
}
let names: readonly NameEntry[] = [];
onClearSession(() => {
  names = [];
});

/** Where new variables are: the names of the open scopes, joined by "/". */
export function currentPath(): string {
  let path: string[] = [];
  for (const { name, overrideParent } of names) {
    if (overrideParent !== null) path = overrideParent ? overrideParent.split("/") : [];
    if (name) path.push(name);
  }
  return path.join("/");
}

/**
 * Opens a name scope. Entering the scope on top again (same caller, same name) adds nothing.
 * @throws TypeError when the name is not a string or contains "/".
 */
export function nameScope(
  name: string,
  { caller = null, overrideParent = null }: { caller?: object | null; overrideParent?: string | null } = {},
): Disposable {
  if (typeof name !== "string" || name.includes("/"))
    throw new TypeError(`A name scope must be a string without "/". Received: ${JSON.stringify(name)}.`);
  const outer = names;
  const top = outer.at(-1);
  if (!(caller && top?.caller === caller && top.name === name)) names = [...outer, { name, caller, overrideParent }];
  return {
    [dispose]: () => {
      names = outer;
    },
  };
}
