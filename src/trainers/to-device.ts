import { NDArray } from "../core/ndarray.js";
import { fromHost, type Tensor } from "../core/tensor.js";
import type { HostBatch, HostTree, TensorBatch, TensorTree } from "./types.js";

/** A batch as tensors, owned by the open scope. */
export const toDevice = (batch: HostBatch): TensorBatch => [move(batch[0]), move(batch[1]), move(batch[2])];

function move(tree: HostTree): TensorTree {
  if (tree instanceof NDArray) return fromHost(tree);
  if (tree === null) return null;
  if (Array.isArray(tree)) return tree.map((part: HostTree) => move(part));
  return Object.fromEntries(
    Object.entries(tree as Record<string, HostTree>).map(([key, part]) => [key, move(part)]),
  ) as Record<string, Tensor>;
}
