import { FormatError } from "./format-error.js";

/** DEFLATE cannot expand further than this. */
export const maxDeflateRatio = 1032;

/**
 * Expands `bytes` compressed as raw DEFLATE ("deflate-raw") or with zlib's wrapping ("deflate").
 * Throws a FormatError naming `source` when they are damaged or do not expand to exactly `size` bytes; never keeps more than that.
 */
export async function inflate(
  bytes: Uint8Array,
  format: "deflate" | "deflate-raw",
  size: number,
  source: string,
): Promise<Uint8Array> {
  if (size > bytes.length * maxDeflateRatio) {
    throw new FormatError(source, `${bytes.length} compressed bytes cannot expand to the declared ${size}`);
  }
  const stream = new DecompressionStream(format);
  const writer = stream.writable.getWriter();
  // A failure shows on the reading side; here it only must not go unhandled.
  const sent = writer.write(bytes as Uint8Array<ArrayBuffer>).then(() => writer.close());
  sent.catch(() => undefined);
  const reader = stream.readable.getReader();
  const out = new Uint8Array(size);
  let filled = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (filled + value.length > size)
        throw new FormatError(source, `expands to more than the declared ${size} bytes`);
      out.set(value, filled);
      filled += value.length;
    }
  } catch (cause) {
    reader.cancel().catch(() => undefined);
    if (cause instanceof FormatError) throw cause;
    throw new FormatError(source, "the compressed bytes are damaged or cut off", { cause });
  }
  if (filled !== size) throw new FormatError(source, `expands to ${filled} bytes, but ${size} are declared`);
  return out;
}
