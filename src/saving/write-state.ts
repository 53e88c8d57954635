import { H5GroupNode } from "../formats/hdf5/index.js";
import { type AssetStore, childrenOf, hasAssets, ownVariablesOf, type Saveable } from "./saveable.js";

/** The variables of an object and all below it, as a weights file holds them, with their assets by path. */
export interface State {
  readonly weights: H5GroupNode;
  readonly assets: ReadonlyMap<string, Uint8Array>;
}

/**
 * Reads the state of `root` and all below it. Every variable is read before this function first waits, so that the state is that of
 * one moment.
 * @param skip Objects to leave out, with all below them.
 */
export async function writeState(root: Saveable, skip: Iterable<object> = []): Promise<State> {
  const weights = new H5GroupNode();
  const assets = new Map<string, Uint8Array>();
  const visited = new Set<object>(skip);
  const pending: Promise<void>[] = [];

  const visit = (object: Saveable, path: string): void => {
    if (visited.has(object)) return;
    visited.add(object);
    pending.push(writeObject(object, path, weights, assets));
    for (const child of childrenOf(object)) visit(child.object, join(path, child.path));
  };
  visit(root, "");
  await Promise.all(pending);
  return { weights, assets };
}

async function writeObject(
  object: Saveable,
  path: string,
  weights: H5GroupNode,
  assets: Map<string, Uint8Array>,
): Promise<void> {
  // The group is made at once, so that groups stand in the order of the walk.
  const group = weights.group(join(path, "vars"));
  group.attributes.set("name", object.name);
  const files: AssetStore = new Map();
  const saved = hasAssets(object) ? object.saveAssets(files) : undefined;
  for (const [index, array] of await ownVariablesOf(object)) group.dataset(index, array);
  await saved;
  for (const [name, bytes] of files) assets.set(join(path, name), bytes);
}

/** A path below another; the root's is empty. */
export const join = (path: string, name: string): string => (path === "" ? name : `${path}/${name}`);
