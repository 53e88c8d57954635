import type { H5Cursor, H5File } from "./h5-file.js";

interface Collection {
  readonly objects: ReadonlyMap<number, { start: number; length: number }>;
  /** Texts already decoded: many elements may share one object. */
  readonly texts: Map<number, string>;
}

/** Reads the strings of variable length, which lie in collections shared by many datasets and attributes. */
export class GlobalHeap {
  private readonly collections = new Map<number, Collection>();

  constructor(private readonly file: H5File) {}

  /** The text that an element (length, address of the collection, index in it) refers to; the cursor moves behind the element. */
  text(element: H5Cursor): string {
    const length = element.u32();
    const address = element.address();
    const index = element.u32();
    if (length === 0 || address === null || index === 0) return "";
    const collection = this.collection(address);
    let text = collection.texts.get(index);
    if (text === undefined) {
      const object = collection.objects.get(index);
      if (!object || length > object.length)
        throw element.error(`the heap at ${address} has no string ${index} of ${length} bytes`);
      text = decodeText(this.file.at(object.start, length).take(length));
      collection.texts.set(index, text);
    }
    return text;
  }

  private collection(address: number): Collection {
    let collection = this.collections.get(address);
    if (!collection) {
      collection = { objects: readCollection(this.file, address), texts: new Map() };
      this.collections.set(address, collection);
    }
    return collection;
  }
}

function readCollection(file: H5File, address: number): Collection["objects"] {
  const header = file.at(address);
  header.expect("GCOL", "global heap");
  header.skip(4);
  const size = header.length();
  const prefix = header.here - address;
  const cursor = file.at(address, size);
  cursor.skip(prefix);
  const objects = new Map<number, { start: number; length: number }>();
  while (cursor.remaining >= 8 + file.lengthSize) {
    const index = cursor.u16();
    if (index === 0) break; // the rest is free
    cursor.skip(6);
    const length = cursor.length();
    objects.set(index, { start: cursor.here, length });
    cursor.skip(length);
    cursor.skip(Math.min(-length & 7, cursor.remaining));
  }
  return objects;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** UTF-8 text up to the first NUL. */
export function decodeText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return utf8.decode(end < 0 ? bytes : bytes.subarray(0, end));
}
