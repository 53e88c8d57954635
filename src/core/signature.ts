import { nodeOf } from "../tree/node.js";
import { Tensor } from "./tensor.js";

/** Checks a part of the arguments, and puts the handles of its tensors in their places; false where it differs. */
type Reader = (part: unknown, handles: unknown[]) => boolean;

/**
 * What a function was compiled for: the structure of its arguments, the shapes and dtypes of the tensors in it, and all other values
 * themselves. Made once, so that a call needs a single walk to see whether it fits and to find its tensors.
 */
export class Signature {
  readonly #read: Reader;

  constructor(args: readonly unknown[]) {
    let tensors = 0;
    this.#read = readerOf(args, () => tensors++);
  }
  /** Whether `args` are of this kind. Then `handles` begins with those of their tensors, in the order of `flatten`. */
  read(args: readonly unknown[], handles: unknown[]): boolean {
    return this.#read(args, handles);
  }
}

/** `place` gives the next place among the handles. */
function readerOf(model: unknown, place: () => number): Reader {
  if (model instanceof Tensor) {
    const { shape, dtype } = model;
    const at = place();
    return (part, handles) => {
      if (!(part instanceof Tensor) || part.dtype !== dtype || !sameValues(part.shape, shape)) return false;
      handles[at] = part.handle;
      return true;
    };
  }
  const node = nodeOf(model);
  if (!node) return (part) => Object.is(part, model);
  const { keys } = node;
  const readers = node.children.map((child) => readerOf(child, place));
  const count = readers.length;
  if (Array.isArray(model))
    return (part, handles) => {
      if (!Array.isArray(part) || part.length !== count) return false;
      for (let i = 0; i < count; i++) if (!readers[i]!(part[i], handles)) return false;
      return true;
    };
  if (model instanceof Map)
    return (part, handles) => {
      if (!(part instanceof Map) || !sameValues([...part.keys()], keys)) return false;
      return readers.every((read, i) => read(part.get(keys[i]), handles));
    };
  const order = Object.keys(model as object);
  const prototype: unknown = Object.getPrototypeOf(model);
  return (part, handles) => {
    if (typeof part !== "object" || part === null || Object.getPrototypeOf(part) !== prototype) return false;
    // A function may go by the order of keys.
    if (!sameValues(Object.keys(part), order)) return false;
    for (let i = 0; i < count; i++)
      if (!readers[i]!((part as Record<string, unknown>)[keys[i] as string], handles)) return false;
    return true;
  };
}

function sameValues(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}
