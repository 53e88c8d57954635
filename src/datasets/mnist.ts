import type { NDArray } from "../core/ndarray.js";
import { checkOptions } from "../trainers/check-options.js";
import { readSource } from "../utils/files.js";
import { getFile } from "./get-file.js";

/** Training and test data, each as inputs and targets. */
export type Split = readonly [train: readonly [x: NDArray, y: NDArray], test: readonly [x: NDArray, y: NDArray]];

export interface LoadDataOptions {
  /** Name of the file in the cache. By default "mnist.npz". */
  readonly path?: string;
}

const origin = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz";
const sha256 = "731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1";

/**
 * The MNIST handwritten digits (LeCun, Cortes and Burges, 1998; CC BY-SA 3.0): 60,000 images to train with and 10,000 to test with,
 * uint8 [n, 28, 28] from 0 for white to 255 for black, and their digits, uint8 [n].
 *
 * Downloads `mnist.npz` (11 MB) once, as Python Keras does, to `datasets` in `$KERAS_HOME` or `~/.keras`.
 *
 * @example
 * const [[xTrain, yTrain], [xTest, yTest]] = await keras.datasets.mnist.loadData();
 */
export async function loadData(options: LoadDataOptions = {}): Promise<Split> {
  checkOptions("mnist.loadData", options, ["path"]);
  const file = await getFile(origin, { fname: options.path ?? "mnist.npz", fileHash: sha256 });
  return readMnist(await readSource(file), file);
}

/** The arrays of an npz archive with `x_train`, `y_train`, `x_test` and `y_test`; `source` names it in errors. */
export async function readMnist(bytes: Uint8Array, source: string): Promise<Split> {
  const { openNpz } = await import("../formats/npz.js");
  const npz = openNpz(bytes, { source });
  const read = (name: string): Promise<NDArray> => npz.read(name);
  return [
    [await read("x_train"), await read("y_train")],
    [await read("x_test"), await read("y_test")],
  ];
}
