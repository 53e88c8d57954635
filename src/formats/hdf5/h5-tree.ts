import type { NDArray } from "../../core/ndarray.js";

/** Text stored in a field of fixed size (NumPy's bytes) in place of a string of variable length. */
export class FixedStrings {
  /** One text gives a scalar, a list an array. */
  constructor(readonly value: string | readonly string[]) {}
}

/**
 * What an attribute may hold. Whole numbers and bigints are written as int64, other numbers as float64, text in UTF-8 of variable
 * length; an NDArray keeps its dtype and shape.
 */
export type H5AttributeInput = string | number | bigint | boolean | NDArray | readonly string[] | FixedStrings;

/** What a dataset may hold. */
export type H5DataInput = NDArray | string | readonly string[] | FixedStrings;

/** A dataset to be written. */
export class H5DatasetNode {
  readonly attributes = new Map<string, H5AttributeInput>();

  constructor(readonly data: H5DataInput) {}
}

/** A group to be written: fill it through `group`, `dataset` and `attributes`, then pass the root to `writeHdf5`. */
export class H5GroupNode {
  readonly attributes = new Map<string, H5AttributeInput>();
  readonly children = new Map<string, H5GroupNode | H5DatasetNode>();

  /** The group at `path` (names separated by slashes), made with all groups that lead to it. Throws when a dataset is in the way. */
  group(path: string): H5GroupNode {
    return namesOf(path).reduce<H5GroupNode>((group, name) => {
      const child = group.children.get(name) ?? new H5GroupNode();
      if (child instanceof H5DatasetNode) throw new TypeError(`"${path}" cannot be a group: "${name}" is a dataset.`);
      group.children.set(name, child);
      return child;
    }, this);
  }

  /** Adds a dataset at `path`, with the groups that lead to it. Throws when the path is taken. */
  dataset(path: string, data: H5DataInput): H5DatasetNode {
    const names = namesOf(path);
    const name = names.pop();
    if (name === undefined) throw new TypeError(`A dataset needs a name. Received the path ${JSON.stringify(path)}.`);
    const { children } = this.group(names.join("/"));
    if (children.has(name)) throw new TypeError(`"${path}" is already taken.`);
    const node = new H5DatasetNode(data);
    children.set(name, node);
    return node;
  }
}

const namesOf = (path: string): string[] => path.split("/").filter((name) => name !== "");
