import type { H5Cursor, H5File } from "./h5-file.js";
import { VisitedAddresses } from "./h5-file.js";

/** Numbers of the header messages that are read or written here. */
export const messageType = {
  dataspace: 0x01,
  linkInfo: 0x02,
  datatype: 0x03,
  oldFill: 0x04,
  fill: 0x05,
  link: 0x06,
  externalFiles: 0x07,
  layout: 0x08,
  groupInfo: 0x0a,
  filters: 0x0b,
  attribute: 0x0c,
  continuation: 0x10,
  symbolTable: 0x11,
  attributeInfo: 0x15,
} as const;

/** One message of an object's header. */
export interface H5Message {
  readonly type: number;
  readonly start: number;
  readonly length: number;
  readonly shared: boolean;
}

/** Messages of one object (a group, dataset or named type). */
export class ObjectHeader {
  constructor(
    readonly file: H5File,
    private readonly messages: readonly H5Message[],
  ) {}

  has(type: number): boolean {
    return this.messages.some((message) => message.type === type);
  }

  /** Cursors over the contents of all messages of a type. */
  all(type: number): H5Cursor[] {
    return this.messages.filter((message) => message.type === type).map((message) => this.content(message));
  }

  first(type: number): H5Cursor | undefined {
    const found = this.messages.find((message) => message.type === type);
    return found && this.content(found);
  }

  private content(message: H5Message): H5Cursor {
    const cursor = this.file.at(message.start, message.length);
    return message.shared ? sharedMessage(cursor, message.type) : cursor;
  }
}

/** Follows a reference to a message that lies in another object's header (a named datatype). */
export function sharedMessage(reference: H5Cursor, type: number): H5Cursor {
  const version = reference.u8();
  const kind = reference.u8();
  if (version === 1) reference.skip(6);
  if (version > 3 || (version === 3 && kind !== 2)) {
    throw reference.error("messages shared through a heap are not supported");
  }
  const address = reference.definedAddress("a shared message");
  const header = readObjectHeader(reference.file, address, false);
  const found = header.first(type);
  if (!found) throw reference.error(`the object at ${address} does not hold the shared message`);
  return found;
}

/** Reads the header of the object at `address` (versions 1 and 2) with all its continuations. */
export function readObjectHeader(file: H5File, address: number, followShared = true): ObjectHeader {
  const cursor = file.at(address);
  const modern = cursor.bytes[cursor.position] === 0x4f;
  const messages = modern ? readModern(file, address) : readClassic(file, address);
  return new ObjectHeader(file, followShared ? messages : messages.filter((message) => !message.shared));
}

function readClassic(file: H5File, address: number): H5Message[] {
  const cursor = file.at(address);
  const version = cursor.u8();
  if (version !== 1) throw cursor.error(`no object header at ${address}: version 1 expected, ${version} found`);
  cursor.skip(1);
  const count = cursor.u16();
  cursor.skip(4);
  const size = cursor.u32();
  cursor.skip(4);
  const messages: H5Message[] = [];
  const visited = new VisitedAddresses(file);
  const blocks = [cursor.part(size)];
  let read = 0;
  for (let block = blocks.shift(); block; block = blocks.shift()) {
    while (block.remaining >= 8 && read < count) {
      const type = block.u16();
      const length = block.u16();
      const flags = block.u8();
      block.skip(3);
      const content = block.part(length);
      read++;
      if (type === messageType.continuation) {
        const next = content.definedAddress("a header continuation");
        visited.enter(next, "header continuation");
        blocks.push(file.at(next, content.length()));
      } else {
        messages.push({ type, start: content.here, length, shared: (flags & 2) !== 0 });
      }
    }
  }
  return messages;
}

function readModern(file: H5File, address: number): H5Message[] {
  const cursor = file.at(address);
  cursor.expect("OHDR", "object header");
  const version = cursor.u8();
  if (version !== 2) throw cursor.error(`the object header at ${address} has version ${version}. Expected 2`);
  const flags = cursor.u8();
  if (flags & 0x20) cursor.skip(16); // times
  if (flags & 0x10) cursor.skip(4); // when attributes move to dense storage
  const size = cursor.uint(1 << (flags & 3));
  const prefix = cursor.here - address;
  const first = file.checked(address, prefix + size + 4, "object header");
  first.skip(prefix);

  const messages: H5Message[] = [];
  const visited = new VisitedAddresses(file);
  const blocks = [first];
  const messagePrefix = flags & 4 ? 6 : 4;
  for (let block = blocks.shift(); block; block = blocks.shift()) {
    while (block.remaining >= messagePrefix) {
      const type = block.u8();
      const length = block.u16();
      const messageFlags = block.u8();
      if (flags & 4) block.skip(2); // creation order
      const content = block.part(length);
      if (type === messageType.continuation) {
        const next = content.definedAddress("a header continuation");
        visited.enter(next, "header continuation");
        const continued = file.checked(next, content.length(), "header continuation");
        continued.expect("OCHK", "header continuation");
        blocks.push(continued);
      } else {
        messages.push({ type, start: content.here, length, shared: (messageFlags & 2) !== 0 });
      }
    }
  }
  return messages;
}
