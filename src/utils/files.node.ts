import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";

/** Bytes of a file, in pieces to be written one after another. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Node cannot read or write more at once. */
const maxStep = 2 ** 30;
/** A draft nobody has touched for so long was left behind by a process that was killed. */
const staleAfter = 10 * 60 * 1000;

/** `file:` URLs as paths. */
export const pathOf = (place: string | URL): string => (place instanceof URL ? fileURLToPath(place) : place);

/** What is at `place`; null when nothing is. */
export async function kindOf(place: string): Promise<"file" | "directory" | null> {
  const found = await stat(place).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
  return found === null ? null : found.isDirectory() ? "directory" : "file";
}

/** All bytes of a file, in memory of their own. */
export async function readBytes(place: string): Promise<Uint8Array> {
  const file = await open(place, "r");
  try {
    const { size } = await file.stat();
    // Pipes and the like do not tell their size.
    if (size === 0) return new Uint8Array(await readFile(file));
    const bytes = new Uint8Array(size);
    let at = 0;
    while (at < size) {
      const { bytesRead } = await file.read(bytes, at, Math.min(size - at, maxStep), at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    return bytes.subarray(0, at);
  } finally {
    await file.close();
  }
}

/** Paths of all files below a directory, relative to it and with slashes, in order. */
export async function listFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .sort();
}

/**
 * Puts a file in place in one step: it is written under another name beside its place, forced to the disk and then renamed. When that
 * fails, what was there before stays and nothing else is left.
 */
export async function writeAtomically(place: string, chunks: Chunks): Promise<void> {
  // Renaming over a symbolic link would replace the link.
  const target = await realpath(place).catch(() => path.resolve(place));
  await removeStaleDrafts(target);
  const draft = draftOf(target);
  try {
    const mode = await stat(target).then(
      ({ mode }) => mode & 0o777,
      () => undefined,
    );
    await writeThrough(draft, chunks, mode);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw withPlace(error, place);
  }
  await syncDirectory(path.dirname(target));
}

/** `writeAtomically` for a directory of files by their paths inside it. An older directory of this name is replaced as a whole. */
export async function writeDirectoryAtomically(place: string, files: ReadonlyMap<string, Chunks>): Promise<void> {
  const target = path.resolve(place);
  const draft = draftOf(target);
  const retired = draftOf(target);
  try {
    await mkdir(draft);
    for (const [name, chunks] of files) {
      const file = path.join(draft, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeThrough(file, chunks);
    }
    const replaces = (await kindOf(target)) !== null;
    if (replaces) await rename(target, retired);
    try {
      await rename(draft, target);
    } catch (error) {
      if (replaces) await rename(retired, target);
      throw error;
    }
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw withPlace(error, place);
  }
  await rm(retired, { recursive: true, force: true });
  await syncDirectory(path.dirname(target));
}

/** Asks at the terminal whether to replace `place`; throws where there is nobody to ask. */
export async function askToOverwrite(place: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new Error(`"${place}" already exists and \`overwrite\` is false. Pass { overwrite: true } or another path.`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    for (;;) {
      const answer = await terminal.question(`[WARNING] ${place} already exists - overwrite? [y/n]`);
      if (/^\s*[yn]\s*$/i.test(answer)) return answer.trim().toLowerCase() === "y";
      terminal.write('Enter "y" (overwrite) or "n" (cancel).\n');
    }
  } finally {
    terminal.close();
  }
}

async function writeThrough(place: string, chunks: Chunks, mode?: number): Promise<void> {
  const file = await open(place, "wx", mode);
  try {
    for await (const chunk of chunks) await writeAll(file, chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let at = 0;
  while (at < chunk.length) {
    const { bytesWritten } = await file.write(chunk, at, Math.min(chunk.length - at, maxStep));
    at += bytesWritten;
  }
}

const draftPattern = /^\.(.*)\.[0-9a-f-]{36}\.tmp$/;
const draftOf = (target: string): string =>
  path.join(path.dirname(target), `.${path.basename(target)}.${randomUUID()}.tmp`);

async function removeStaleDrafts(target: string): Promise<void> {
  const directory = path.dirname(target);
  for (const name of await readdir(directory).catch(() => [])) {
    if (draftPattern.exec(name)?.[1] !== path.basename(target)) continue;
    const file = path.join(directory, name);
    const found = await stat(file).catch(() => null);
    if (found?.isFile() && Date.now() - found.mtimeMs > staleAfter) await rm(file, { force: true });
  }
}

/** Makes a rename last through a power cut, on systems where directories can be forced to the disk. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r").catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function withPlace(error: unknown, place: string): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "the directory does not exist",
    ENOSPC: "the disk is full",
    EFBIG: "the file would be larger than the system allows",
    EACCES: "permission was denied",
    EROFS: "the file system is read-only",
    EISDIR: "it is a directory",
  };
  const reason = (code !== undefined && reasons[code]) || message;
  return new Error(`Could not write "${place}": ${reason}. What was there before is unchanged.`, { cause: error });
}
