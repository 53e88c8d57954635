import type * as NodeFiles from "./files.node.js";
import { showValue } from "./show-value.js";

/** Where bytes come from: a path or URL, or the bytes themselves. */
export type ByteSource = string | URL | ArrayBuffer | ArrayBufferView | Blob;

/** Whether this is Node, which has files. */
export const hasFiles = (): boolean =>
  (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined;

/** What works on files in Node. `what` and `instead` make the error elsewhere. */
export async function nodeFiles(what: string, instead: string): Promise<typeof NodeFiles> {
  if (!hasFiles()) throw new Error(`${what} needs a file system, which browsers do not have. ${instead}`);
  return import("./files.node.js");
}

/** How errors name a source. */
export function nameOfSource(source: ByteSource, otherwise: string): string {
  if (typeof source === "string") return source;
  if (source instanceof URL) return source.href;
  return (source as { readonly name?: string }).name ?? otherwise;
}

/** Whether `source` has to be fetched. */
export const isRemote = (source: ByteSource): source is string | URL =>
  (typeof source === "string" || source instanceof URL) && /^(https?|data|blob):/i.test(String(source));

/** The bytes of a source: fetched from URLs, read from paths, uncopied when they are in memory. */
export async function readSource(source: ByteSource): Promise<Uint8Array> {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (typeof Blob !== "undefined" && source instanceof Blob) return new Uint8Array(await source.arrayBuffer());
  if (isRemote(source)) return fetchBytes(source);
  if (typeof source !== "string" && !(source instanceof URL)) {
    throw new TypeError(`Expected a path, a URL or bytes. Received: ${showValue(source)}.`);
  }
  const { pathOf, readBytes } = await nodeFiles(`Reading "${String(source)}"`, "Pass a URL, a Blob or the bytes.");
  return readBytes(pathOf(source));
}

async function fetchBytes(url: string | URL): Promise<Uint8Array> {
  const response = await fetch(url).catch((cause: unknown) => {
    throw new Error(`Could not fetch ${String(url)}: there was no answer.`, { cause });
  });
  if (!response.ok) throw new Error(`Could not fetch ${String(url)}: the server answered ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}
