import { NDArray } from "../../core/ndarray.js";
import { ByteWriter } from "../byte-writer.js";
import { lookup3 } from "../lookup3.js";
import { encodeValue, isOpaque } from "./encode-values.js";
import type { EncodedValue } from "./encode-values.js";
import { H5DatasetNode } from "./h5-tree.js";
import type { H5AttributeInput, H5GroupNode } from "./h5-tree.js";
import { HeapWriter } from "./heap-writer.js";
import { messageType } from "./object-header.js";
import { h5Signature } from "./superblock.js";

const superblockSize = 48;
/** Elements of a dataset begin at a multiple of this. */
const alignment = 64;
const undefinedAddress = 0xffffffffffffffffn;
const maxMessage = 0xffff;
/** Prefix of an object header with a 32-bit size, and its checksum. */
const headerOverhead = 14;

/** A header message whose content may hold addresses: its size is known at once, its bytes after everything has its place. */
interface PendingMessage {
  readonly type: number;
  readonly size: number;
  /** Flag 1 says that the message never changes. */
  readonly flags: number;
  write(writer: ByteWriter): void;
}

interface PendingObject {
  readonly messages: readonly PendingMessage[];
  readonly data: EncodedValue | null;
  readonly headerSize: number;
  address: number;
  dataAddress: number;
}

/**
 * An HDF5 file (superblock version 2) holding the tree below `root`, as chunks to be written one after another. The elements of
 * contiguous arrays are passed through as views of their memory, so change them only after writing. Throws a RangeError for an
 * attribute or name too long for its header.
 */
export function writeHdf5(root: H5GroupNode): Uint8Array[] {
  const heap = new HeapWriter();
  const objects: PendingObject[] = [];
  const rootObject = prepare(root, "", heap, objects);

  let end = superblockSize;
  for (const object of objects) {
    object.address = end;
    end += align(object.headerSize, 8);
  }
  const metadataEnd = heap.place(end);
  end = metadataEnd;
  for (const object of objects) {
    if (!object.data || object.data.size === 0) continue;
    object.dataAddress = align(end, alignment);
    end = object.dataAddress + object.data.size;
  }

  const writer = new ByteWriter(metadataEnd);
  writeSuperblock(writer, end, rootObject.address);
  for (const object of objects) writeHeader(writer, object);
  heap.write(writer);
  const chunks = [writer.done()];
  let at = metadataEnd;
  for (const { data, dataAddress } of objects) {
    if (!data || data.size === 0) continue;
    if (dataAddress > at) chunks.push(new Uint8Array(dataAddress - at));
    chunks.push(data.bytes());
    at = dataAddress + data.size;
  }
  return chunks;
}

/** Turns a node and all below it into objects with headers, parents first. */
function prepare(
  node: H5GroupNode | H5DatasetNode,
  path: string,
  heap: HeapWriter,
  objects: PendingObject[],
): PendingObject {
  const messages: PendingMessage[] = [];
  const attributes = new Map(node.attributes);
  const data = node instanceof H5DatasetNode ? encodeValue(node.data, heap) : null;
  if (node instanceof H5DatasetNode && node.data instanceof NDArray && isOpaque(node.data.dtype)) {
    attributes.set("dtype", node.data.dtype);
  }
  // The headers of children are prepared later but written with an address, so the object must exist before its messages do.
  const object = { messages, data, headerSize: 0, address: 0, dataAddress: 0 };
  objects.push(object);
  if (node instanceof H5DatasetNode) {
    messages.push(...datasetMessages(object, data!));
  } else {
    messages.push(...groupMessages(node.children.size));
    for (const [name, child] of node.children) {
      if (name === "" || name.includes("/") || name.includes("\0")) {
        throw new TypeError(`${JSON.stringify(name)} cannot be a name in the HDF5 group "/${path}".`);
      }
      messages.push(linkMessage(name, prepare(child, path === "" ? name : `${path}/${name}`, heap, objects)));
    }
  }
  for (const [name, value] of attributes) messages.push(attributeMessage(name, value, path, heap));
  for (const { size, type } of messages) {
    if (size > maxMessage) {
      const what = type === messageType.attribute ? "An attribute" : "A name";
      throw new RangeError(
        `${what} of "/${path}" takes ${size} bytes in an HDF5 header. Expected at most ${maxMessage}.`,
      );
    }
  }
  object.headerSize = headerOverhead + messages.reduce((sum, message) => sum + 4 + message.size, 0);
  return object;
}

function groupMessages(links: number): PendingMessage[] {
  // All links stay in the header, however many there are.
  const compact = Math.min(Math.max(8, links), 0xffff);
  return [
    fixed(messageType.linkInfo, new ByteWriter(18).u8(0, 0).u64(undefinedAddress).u64(undefinedAddress).done()),
    fixed(messageType.groupInfo, new ByteWriter(6).u8(0, 1).u16(compact).u16(Math.min(compact, 6)).done()),
  ];
}

function linkMessage(name: string, target: PendingObject): PendingMessage {
  const encoded = new TextEncoder().encode(name);
  const wide = encoded.length > 0xff;
  return {
    type: messageType.link,
    size: (wide ? 5 : 4) + encoded.length + 8,
    flags: 0,
    write(writer) {
      writer.u8(1, wide ? 0x11 : 0x10, 1);
      if (wide) writer.u16(encoded.length);
      else writer.u8(encoded.length);
      writer.bytes(encoded).u64(target.address);
    },
  };
}

function datasetMessages(object: PendingObject, data: EncodedValue): PendingMessage[] {
  return [
    fixed(messageType.dataspace, data.dataspace),
    fixed(messageType.datatype, data.datatype, 1),
    fixed(messageType.fill, Uint8Array.of(3, 0x0a), 1),
    {
      type: messageType.layout,
      size: 18,
      flags: 0,
      write: (writer) =>
        writer
          .u8(3, 1)
          .u64(data.size === 0 ? undefinedAddress : object.dataAddress)
          .u64(data.size),
    },
  ];
}

function attributeMessage(name: string, input: H5AttributeInput, path: string, heap: HeapWriter): PendingMessage {
  const encoded = new TextEncoder().encode(`${name}\0`);
  const value = encodeValue(input, heap);
  const size = 9 + encoded.length + value.datatype.length + value.dataspace.length + value.size;
  if (size > maxMessage) {
    throw new RangeError(
      `The attribute "${name}" of "/${path}" takes ${size} bytes. Expected at most ${maxMessage}: split it, or make it a dataset.`,
    );
  }
  return {
    type: messageType.attribute,
    size,
    flags: 0,
    write(writer) {
      writer.u8(3, 0).u16(encoded.length).u16(value.datatype.length).u16(value.dataspace.length).u8(1);
      writer.bytes(encoded).bytes(value.datatype).bytes(value.dataspace).bytes(value.bytes());
    },
  };
}

const fixed = (type: number, content: Uint8Array, flags = 0): PendingMessage => ({
  type,
  size: content.length,
  flags,
  write: (writer) => writer.bytes(content),
});

function writeHeader(writer: ByteWriter, { messages, headerSize }: PendingObject): void {
  const start = writer.length;
  writer
    .text("OHDR")
    .u8(2, 2)
    .u32(headerSize - headerOverhead);
  for (const message of messages) {
    writer.u8(message.type).u16(message.size).u8(message.flags);
    message.write(writer);
  }
  writer.u32(lookup3(writer.done().subarray(start)));
  writer.zeros(-headerSize & 7);
}

function writeSuperblock(writer: ByteWriter, end: number, root: number): void {
  writer
    .u8(...h5Signature)
    .u8(2, 8, 8, 0)
    .u64(0)
    .u64(undefinedAddress)
    .u64(end)
    .u64(root);
  writer.u32(lookup3(writer.done()));
}

const align = (position: number, to: number): number => position + (-position & (to - 1));
