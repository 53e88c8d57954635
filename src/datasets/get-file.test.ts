import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { disableInteractiveLogging, enableInteractiveLogging } from "../utils/io-utils.js";
import { getFile } from "./get-file.js";

const content = new TextEncoder().encode("the digits of many hands");
const sha256 = createHash("sha256").update(content).digest("hex");

let server: Server;
let base: string;
let answer: RequestListener;
let requests: number;
let cacheDir: string;

beforeAll(async () => {
  disableInteractiveLogging();
  server = createServer((request, response) => {
    requests++;
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  enableInteractiveLogging();
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  cacheDir = await fs.mkdtemp(path.join(os.tmpdir(), "keras-ts-cache-"));
  requests = 0;
  answer = (_request, response) => response.end(content);
});
afterEach(() => fs.rm(cacheDir, { recursive: true, force: true }));

describe("getFile", () => {
  it("downloads once and then uses the file", async () => {
    const file = await getFile(`${base}/data/digits.bin?version=2`, { cacheDir, fileHash: sha256 });
    expect(file).toBe(path.join(cacheDir, "datasets", "digits.bin"));
    expect(await getFile(`${base}/data/digits.bin`, { cacheDir, fileHash: sha256.toUpperCase() })).toBe(file);
    expect(requests).toBe(1);
    expect(new Uint8Array(await fs.readFile(file))).toEqual(content);
  });
  it("fetches a file with another checksum again", async () => {
    const file = path.join(cacheDir, "datasets", "a.bin");
    await fs.mkdir(path.dirname(file));
    await fs.writeFile(file, "damaged");
    const md5 = createHash("md5").update(content).digest("hex");
    await getFile(`${base}/x`, { cacheDir, fname: "a.bin", fileHash: md5 });
    expect(new Uint8Array(await fs.readFile(file))).toEqual(content);
    await getFile(`${base}/x`, { cacheDir, fname: "a.bin", forceDownload: true });
    expect(requests).toBe(2);
  });
  it.each<[string, RequestListener, RegExp]>([
    ["the wrong content", (_, response) => response.end("something else"), /its checksum is [0-9a-f]{64}/],
    ["an error", (_, response) => response.writeHead(404).end(), /the server answered 404/],
    [
      "a cut-off answer",
      (_, response) => {
        response.writeHead(200, { "content-length": String(content.length) });
        response.write(content.subarray(0, 5), () => response.destroy());
      },
      /Could not download/,
    ],
  ])("leaves nothing behind after %s", async (_what, listener, message) => {
    answer = listener;
    const result = getFile(`${base}/digits.bin`, { cacheDir, fileHash: sha256 });
    await expect(result).rejects.toThrow(message);
    expect(await fs.readdir(path.join(cacheDir, "datasets"))).toEqual([]);
  });
  it("tells without a connection which file to put where", async () => {
    const unreachable = createServer();
    await new Promise<void>((listening) => unreachable.listen(0, "127.0.0.1", listening));
    const { port } = unreachable.address() as AddressInfo;
    await new Promise((closed) => unreachable.close(closed));
    await expect(getFile(`http://127.0.0.1:${port}/mnist.npz`, { cacheDir, fileHash: sha256 })).rejects.toThrow(
      `get the file elsewhere, which has the SHA-256 checksum ${sha256}, and put it at "${path.join(cacheDir, "datasets", "mnist.npz")}"`,
    );
  });
  it("keeps names inside the cache and refuses unknown options", async () => {
    await expect(getFile(`${base}/x`, { cacheDir, fname: "../../x" })).rejects.toThrow("must stay in the cache");
    await expect(getFile(`${base}/`, { cacheDir })).rejects.toThrow("Pass `fname`");
    await expect(getFile(`${base}/x`, { cachedir: "" } as never)).rejects.toThrow("has no option `cachedir`");
    expect(requests).toBe(0);
  });
});
