import type { NDArray } from "../core/ndarray.js";
import { H5Dataset, type H5Group } from "../formats/hdf5/index.js";
import { join } from "./write-state.js";

/** The arrays of a weights file, by the path of the object they belong to. */
export interface WeightReader {
  /** Variables of the object at `path` by their index; none when the file does not know the object. */
  read(path: string): Promise<Map<string, NDArray>>;
  /** Whether there is anything at `path`. */
  has(path: string): boolean;
}

/** Reads a weights file of HDF5. */
export class H5WeightReader implements WeightReader {
  readonly #root: H5Group;
  /** Keras 2.13 kept what is now called `layers` under this name. */
  readonly #oldLayers: boolean;

  constructor(root: H5Group) {
    this.#root = root;
    this.#oldLayers = root.has("_layer_checkpoint_dependencies");
  }

  async read(path: string): Promise<Map<string, NDArray>> {
    const group = this.#group(path);
    const arrays = new Map<string, NDArray>();
    for (const name of group?.keys() ?? []) {
      const node = group!.get(name);
      if (node instanceof H5Dataset) arrays.set(name, await node.read());
    }
    return arrays;
  }
  has(path: string): boolean {
    return this.#root.has(path);
  }
  #group(path: string): H5Group | undefined {
    const found = this.#root.group(join(path, "vars"));
    if (found || path === "" || !this.#oldLayers) return found;
    return this.#root.group(join(path.replaceAll("layers", "_layer_checkpoint_dependencies"), "vars"));
  }
}
