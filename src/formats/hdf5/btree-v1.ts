import type { H5Cursor, H5File } from "./h5-file.js";
import { VisitedAddresses } from "./h5-file.js";

/**
 * Leaves of a version 1 B-tree, in order: for each the cursor at its key, which has `keySize` bytes, and the address it leads to.
 * `nodeType` is 0 for trees of groups and 1 for those of chunks.
 */
export function* btreeV1Leaves(
  file: H5File,
  root: number,
  nodeType: 0 | 1,
  keySize: number,
): Generator<{ key: H5Cursor; address: number }> {
  const visited = new VisitedAddresses(file);
  const walk = function* (address: number, expectedLevel: number | null): ReturnType<typeof btreeV1Leaves> {
    visited.enter(address, "B-tree node");
    const node = file.at(address);
    node.expect("TREE", "B-tree node");
    const type = node.u8();
    const level = node.u8();
    if (type !== nodeType) throw node.error(`the B-tree node at ${address} has type ${type}. Expected ${nodeType}`);
    if (expectedLevel !== null && level !== expectedLevel) {
      throw node.error(`the B-tree node at ${address} is on level ${level}. Expected ${expectedLevel}`);
    }
    const count = node.u16();
    node.skip(2 * file.offsetSize); // siblings
    for (let i = 0; i < count; i++) {
      const key = node.part(keySize);
      const child = node.definedAddress("a B-tree child");
      if (level > 0) yield* walk(child, level - 1);
      else yield { key, address: child };
    }
  };
  yield* walk(root, null);
}
