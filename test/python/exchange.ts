import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { NDArray } from "../../src/core/ndarray.js";
import { parsePythonJson } from "../../src/formats/python-json.js";
import { runPython } from "../support/require.js";

/** A folder for the files that a test file exchanges with Python; it is there while the tests run. */
export function exchange() {
  let folder = "";
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), "keras-ts-formats-"));
  });
  afterAll(() => fs.rm(folder, { recursive: true, force: true }));
  return {
    read: async (name: string): Promise<Uint8Array> => new Uint8Array(await fs.readFile(path.join(folder, name))),
    write: (name: string, chunks: readonly Uint8Array[]): Promise<void> =>
      fs.writeFile(path.join(folder, name), chunks),
    /** Runs Python in the folder; what it prints is JSON. */
    python: async (code: string): Promise<unknown> =>
      parsePythonJson(await runPython(`import json\nimport numpy as np\n${code}`, { cwd: folder })),
  };
}

/** Plain values: integers as numbers, since JSON from Python has nothing else. */
export const plain = (value: unknown): unknown => {
  if (value instanceof NDArray) return plain(value.toArray());
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
};
