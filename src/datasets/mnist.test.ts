import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { NDArray } from "../core/ndarray.js";
import { writeNpz } from "../formats/npz.js";
import { loadData, readMnist } from "./mnist.js";

const digits = (n: number): NDArray =>
  new NDArray(
    Uint8Array.from({ length: n }, (_, i) => i % 10),
    [n],
    "uint8",
  );
const images = (n: number): NDArray => new NDArray(new Uint8Array(n * 28 * 28).fill(n), [n, 28, 28], "uint8");

describe("mnist", () => {
  it("reads the arrays of mnist.npz", async () => {
    const chunks = writeNpz([
      ["x_test", images(2)],
      ["x_train", images(3)],
      ["y_train", digits(3)],
      ["y_test", digits(2)],
    ]);
    const [[xTrain, yTrain], [xTest, yTest]] = await readMnist(new Uint8Array(Buffer.concat(chunks)), "mnist.npz");
    expect([xTrain.shape, xTest.shape, xTrain.dtype]).toEqual([[3, 28, 28], [2, 28, 28], "uint8"]);
    expect([yTrain.toArray(), yTest.toArray(), xTrain.at(2, 27, 27)]).toEqual([[0, 1, 2], [0, 1], 3]);
  });
  it("refuses archives of other things", async () => {
    const chunks = writeNpz([["x", digits(2)]]);
    await expect(readMnist(new Uint8Array(Buffer.concat(chunks)), "other.npz")).rejects.toThrow(
      'other.npz: has no member "x_train.npy"',
    );
  });
  it("does not take a cached file of other content for MNIST, and says what is wanted where", async () => {
    const home = await fs.mkdtemp(path.join(os.tmpdir(), "keras-ts-home-"));
    const kept = { home: process.env["KERAS_HOME"], fetch: globalThis.fetch };
    const asked: string[] = [];
    process.env["KERAS_HOME"] = home;
    globalThis.fetch = async (url) => {
      asked.push(String(url));
      throw new TypeError("fetch failed", { cause: new Error("offline") });
    };
    try {
      await fs.mkdir(path.join(home, "datasets"));
      await fs.writeFile(path.join(home, "datasets", "mnist.npz"), "no archive");
      const file = path.join(home, "datasets", "mnist.npz");
      await expect(loadData()).rejects.toThrow(`put it at "${file}"`);
      expect(asked).toEqual(["https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz"]);
    } finally {
      globalThis.fetch = kept.fetch;
      if (kept.home === undefined) delete process.env["KERAS_HOME"];
      else process.env["KERAS_HOME"] = kept.home;
      await fs.rm(home, { recursive: true, force: true });
    }
  });
});
