import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { kerasHome } from "../backend/keras-config.node.js";
import { kindOf, writeAtomically } from "../utils/files.node.js";
import { printMsg } from "../utils/io-utils.js";
import { Progbar } from "../utils/progbar.js";
import type { GetFileOptions } from "./get-file.js";

/** `getFile`, where there are files. */
export async function getCachedFile(origin: string, options: GetFileOptions): Promise<string> {
  const { fileHash = null, cacheSubdir = "datasets", forceDownload = false } = options;
  const fname = options.fname ?? path.posix.basename(new URL(origin).pathname);
  if (fname === "" || fname.includes("\0"))
    throw new TypeError(`There is no file name in "${origin}". Pass \`fname\`.`);
  const directory = path.resolve(options.cacheDir ?? kerasHome(process.env), cacheSubdir);
  const file = path.resolve(directory, fname);
  if (!file.startsWith(directory + path.sep))
    throw new TypeError(`\`getFile.fname\` must stay in the cache. Received: "${fname}".`);

  if (!forceDownload && (await kindOf(file)) === "file") {
    if (fileHash === null || (await hashOf(file, fileHash)) === fileHash.toLowerCase()) return file;
    printMsg(`"${file}" does not have the expected checksum ${fileHash}: it is fetched again.`);
  }
  await mkdir(path.dirname(file), { recursive: true });
  printMsg(`Downloading data from ${origin}`);
  try {
    await writeAtomically(file, checked(await request(origin), fileHash));
  } catch (error) {
    throw explained(error, origin, file, fileHash);
  }
  return file;
}

interface Download {
  readonly body: AsyncIterable<Uint8Array>;
  readonly size: number | null;
}

async function request(origin: string): Promise<Download> {
  const response = await fetch(origin);
  if (!response.ok || !response.body) throw new Error(`the server answered ${response.status} ${response.statusText}`);
  const size = Number(response.headers.get("content-length") ?? 0);
  const isPlain = !response.headers.get("content-encoding");
  return { body: response.body as unknown as AsyncIterable<Uint8Array>, size: size > 0 && isPlain ? size : null };
}

/** The pieces of a download, with a progress bar; throws at the end when it is cut off or has another checksum. */
async function* checked({ body, size }: Download, fileHash: string | null): AsyncGenerator<Uint8Array> {
  const hash = createHash(algorithmOf(fileHash));
  const bar = new Progbar(size);
  let received = 0;
  for await (const piece of body) {
    received += piece.length;
    hash.update(piece);
    bar.update(received);
    yield piece;
  }
  if (size === null) bar.update(received, [], { finalize: true });
  if (size !== null && received !== size) throw new Error(`only ${received} of ${size} bytes arrived`);
  const found = hash.digest("hex");
  if (fileHash !== null && found !== fileHash.toLowerCase()) throw new Error(`its checksum is ${found}`);
}

const algorithmOf = (fileHash: string | null): "sha256" | "md5" => (fileHash?.length === 32 ? "md5" : "sha256");

async function hashOf(file: string, fileHash: string): Promise<string> {
  const hash = createHash(algorithmOf(fileHash));
  for await (const piece of createReadStream(file)) hash.update(piece as Uint8Array);
  return hash.digest("hex");
}

function explained(error: unknown, origin: string, file: string, fileHash: string | null): Error {
  const causes: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) causes.push(at.message);
  const checksum =
    fileHash === null
      ? ""
      : `, which has the ${algorithmOf(fileHash) === "md5" ? "MD5" : "SHA-256"} checksum ${fileHash}`;
  return new Error(
    `Could not download ${origin}: ${causes.at(-1)}. Without a connection, get the file elsewhere${checksum}, and put it at "${file}".`,
    { cause: error },
  );
}
