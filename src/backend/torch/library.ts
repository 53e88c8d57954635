import type { Addon } from "./addon.js";

const host = globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } };
if (!host.process?.versions?.node)
  throw new Error('The torch engine runs libtorch in Node. In browsers choose "numpy", "tensorflow" or "jax".');
const { loadAddon } = await import("./native.node.js");

/** libtorch, loaded with this module. Throws when its addon has not been built, saying how to. */
export const addon: Addon = loadAddon();

/** Whether libtorch is of this version or a later one. */
export function isAtLeast(major: number, minor: number): boolean {
  const [first = 0, second = 0] = addon.torchVersion.split(".").map(Number);
  return first > major || (first === major && second >= minor);
}
