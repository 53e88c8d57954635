import { btreeV1Leaves } from "./btree-v1.js";
import { btreeV2Records, recordType } from "./btree-v2.js";
import { FractalHeap } from "./fractal-heap.js";
import { decodeText } from "./global-heap.js";
import type { H5Cursor, H5File } from "./h5-file.js";
import { messageType } from "./object-header.js";
import type { ObjectHeader } from "./object-header.js";

/** Where a name of a group leads: to the header of an object, or to something that is refused. */
export type H5Link = number | "soft" | "external" | "user-defined";

/** All links of a group, from its symbol table, its header or its heap. */
export function readLinks(header: ObjectHeader): Map<string, H5Link> {
  const links = new Map<string, H5Link>();
  const table = header.first(messageType.symbolTable);
  if (table) readSymbolTable(table, links);
  for (const message of header.all(messageType.link)) readLink(message, links);
  const info = header.first(messageType.linkInfo);
  if (info) readDenseLinks(info, links);
  return links;
}

function readSymbolTable(message: H5Cursor, links: Map<string, H5Link>): void {
  const { file } = message;
  const tree = message.address();
  const heapAddress = message.definedAddress("a group's heap");
  if (tree === null) return;
  const heap = readLocalHeap(file, heapAddress);
  for (const { address } of btreeV1Leaves(file, tree, 0, file.lengthSize)) {
    const node = file.at(address);
    node.expect("SNOD", "symbol table node");
    node.skip(2);
    const count = node.u16();
    for (let i = 0; i < count; i++) {
      const nameAt = node.length();
      const target = node.address();
      const cache = node.u32();
      node.skip(20);
      addLink(node, links, heap(nameAt), cache === 2 || target === null ? "soft" : target);
    }
  }
}

/** Names of a group by their place in its local heap. */
function readLocalHeap(file: H5File, address: number): (at: number) => string {
  const header = file.at(address);
  header.expect("HEAP", "local heap");
  header.skip(4);
  const size = header.length();
  header.length(); // first free block
  const segment = file.at(header.definedAddress("a local heap's data"), size).take(size);
  return (at) => {
    const end = segment.indexOf(0, at);
    if (at >= size || end < 0) throw header.error(`the local heap at ${address} has no name at ${at}`);
    return decodeText(segment.subarray(at, end));
  };
}

const kinds: Readonly<Record<number, H5Link>> = { 1: "soft", 64: "external" };

function readLink(message: H5Cursor, links: Map<string, H5Link>): void {
  const version = message.u8();
  if (version !== 1) throw message.error(`a link has version ${version}. Expected 1`);
  const flags = message.u8();
  const kind = flags & 8 ? message.u8() : 0;
  if (flags & 4) message.skip(8); // creation order
  if (flags & 0x10) message.skip(1); // character set
  const name = decodeText(message.take(message.uint(1 << (flags & 3))));
  const target = kind === 0 ? message.definedAddress(`the link "${name}"`) : (kinds[kind] ?? "user-defined");
  addLink(message, links, name, target);
}

/** Such names would be read as a path to another object. */
function addLink(at: H5Cursor, links: Map<string, H5Link>, name: string, target: H5Link): void {
  if (name === "" || name.includes("/")) throw at.error(`a group has a member named ${JSON.stringify(name)}`);
  if (links.has(name)) throw at.error(`a group has two members named ${JSON.stringify(name)}`);
  links.set(name, target);
}

function readDenseLinks(info: H5Cursor, links: Map<string, H5Link>): void {
  info.skip(1);
  const flags = info.u8();
  if (flags & 1) info.skip(8);
  const heapAddress = info.address();
  const tree = info.address();
  if (heapAddress === null || tree === null) return;
  const heap = new FractalHeap(info.file, heapAddress);
  for (const record of btreeV2Records(info.file, tree, recordType.linkName)) {
    record.skip(4); // hash of the name
    readLink(heap.object(record), links);
  }
}
