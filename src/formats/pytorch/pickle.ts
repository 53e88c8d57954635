import { ByteReader } from "../byte-reader.js";

/** A name that a pickle refers to; never looked up, let alone called. */
export class Global {
  constructor(
    readonly module: string,
    readonly name: string,
  ) {}
  toString(): string {
    return `${this.module}.${this.name}`;
  }
}

/** An object that a pickle would have made by calling something, kept as what it says. */
export class Opaque {
  state: unknown = null;
  constructor(
    readonly callee: unknown,
    readonly args: readonly unknown[],
  ) {}
}

/** What the reader of a pickle makes of references to things outside, and of calls. */
export interface PickleHandlers {
  /** The object behind a persistent id. */
  persistent(id: unknown): unknown;
  /** The result of a call, or undefined, which leaves it an `Opaque`. */
  call(callee: Global, args: readonly unknown[]): unknown;
}

const mark = Symbol("mark");
const latin1 = new TextDecoder("latin1");
const utf8 = new TextDecoder();

/**
 * The value of a pickle (protocols 2 to 5; Python's `pickletools` describes the opcodes): dicts as Maps, tuples, lists and sets as
 * arrays, bytes as Uint8Array, big integers as bigint. Nothing in it is executed: names and calls stay names and calls unless
 * `handlers` knows them. Throws a FormatError for damaged pickles and for opcodes of protocols 0 and 1 that later ones do not use.
 */
export function readPickle(bytes: Uint8Array, source: string, handlers: PickleHandlers): unknown {
  return new Unpickler(new ByteReader(bytes, source), handlers).run();
}

class Unpickler {
  readonly #stack: unknown[] = [];
  readonly #memo = new Map<number, unknown>();
  constructor(
    private readonly reader: ByteReader,
    private readonly handlers: PickleHandlers,
  ) {}

  run(): unknown {
    for (;;) {
      const at = this.reader.position;
      const opcode = this.reader.u8();
      if (opcode === 0x2e) return this.#pop();
      const step = steps[opcode];
      if (!step) throw this.reader.error(`has opcode 0x${opcode.toString(16)} at ${at}, which is not read here`);
      step(this, this.reader);
    }
  }

  push(value: unknown): void {
    this.#stack.push(value);
  }
  pop(): unknown {
    return this.#pop();
  }
  #pop(): unknown {
    if (this.#stack.length === 0) throw this.reader.error("takes more from its stack than it put there");
    return this.#stack.pop();
  }
  top(): unknown {
    if (this.#stack.length === 0) throw this.reader.error("needs a value on its stack, which is empty");
    return this.#stack.at(-1);
  }
  popToMark(): unknown[] {
    const at = this.#stack.lastIndexOf(mark);
    if (at < 0) throw this.reader.error("needs a mark on its stack, where there is none");
    const values = this.#stack.splice(at);
    values.shift();
    return values;
  }
  popMany(count: number): unknown[] {
    const values = Array.from({ length: count }, () => this.#pop());
    return values.reverse();
  }
  memoize(index = this.#memo.size): void {
    this.#memo.set(index, this.top());
  }
  recall(index: number): void {
    if (!this.#memo.has(index)) throw this.reader.error(`refers to value ${index}, which it did not keep`);
    this.push(this.#memo.get(index));
  }
  global(module: unknown, name: unknown): void {
    this.push(new Global(String(module), String(name)));
  }
  persistent(): void {
    this.push(this.handlers.persistent(this.#pop()));
  }
  call(args: unknown, callee: unknown): void {
    const values = Array.isArray(args) ? (args as unknown[]) : [args];
    const known = callee instanceof Global ? this.handlers.call(callee, values) : undefined;
    this.push(known === undefined ? new Opaque(callee, values) : known);
  }
  build(): void {
    const state = this.#pop();
    const object = this.top();
    if (object instanceof Opaque) object.state = state;
  }
  extend(values: readonly unknown[]): void {
    const list = this.top();
    if (Array.isArray(list)) list.push(...values);
    else if (!(list instanceof Opaque)) throw this.reader.error("appends to something that is no list");
  }
  setItems(pairs: readonly unknown[]): void {
    const dict = this.top();
    if (dict instanceof Opaque) return;
    if (!(dict instanceof Map)) throw this.reader.error("puts items into something that is no dict");
    for (let i = 0; i + 1 < pairs.length; i += 2) dict.set(pairs[i], pairs[i + 1]);
  }
}

/** A line of text, as GLOBAL has two. */
function line(reader: ByteReader): string {
  const end = reader.bytes.indexOf(0x0a, reader.position);
  if (end < 0) throw reader.error("ends within a name");
  const text = utf8.decode(reader.take(end - reader.position));
  reader.skip(1);
  return text;
}

/** A little-endian integer in two's complement; a bigint where a number would not hold it exactly. */
function signed(bytes: Uint8Array): number | bigint {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]!);
  value = BigInt.asIntN(bytes.length * 8, value);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function bigEndianDouble(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, false);
}

type Step = (machine: Unpickler, reader: ByteReader) => void;
const text =
  (width: 1 | 4 | 8): Step =>
  (m, r) =>
    m.push(utf8.decode(r.take(r.uint(width))));
const binary =
  (width: 1 | 4 | 8): Step =>
  (m, r) =>
    m.push(r.take(r.uint(width)));
const plain =
  (width: 1 | 4): Step =>
  (m, r) =>
    m.push(latin1.decode(r.take(r.uint(width))));
const tuple =
  (count: number): Step =>
  (m) =>
    m.push(m.popMany(count));

/** What each opcode does. */
const steps: Readonly<Record<number, Step>> = {
  0x80: (_, r) => void r.u8(), // PROTO
  0x95: (_, r) => void r.u64(), // FRAME
  0x28: (m) => m.push(mark), // MARK
  0x30: (m) => void m.pop(), // POP
  0x31: (m) => void m.popToMark(), // POP_MARK
  0x32: (m) => m.push(m.top()), // DUP
  0x4e: (m) => m.push(null), // NONE
  0x88: (m) => m.push(true), // NEWTRUE
  0x89: (m) => m.push(false), // NEWFALSE
  0x4a: (m, r) => m.push(signed(r.take(4))), // BININT
  0x4b: (m, r) => m.push(r.u8()), // BININT1
  0x4d: (m, r) => m.push(r.u16()), // BININT2
  0x8a: (m, r) => m.push(signed(r.take(r.u8()))), // LONG1
  0x8b: (m, r) => m.push(signed(r.take(r.u32()))), // LONG4
  0x47: (m, r) => m.push(bigEndianDouble(r.take(8))), // BINFLOAT
  0x58: text(4), // BINUNICODE
  0x8c: text(1), // SHORT_BINUNICODE
  0x8d: text(8), // BINUNICODE8
  0x54: plain(4), // BINSTRING
  0x55: plain(1), // SHORT_BINSTRING
  0x42: binary(4), // BINBYTES
  0x43: binary(1), // SHORT_BINBYTES
  0x8e: binary(8), // BINBYTES8
  0x96: binary(8), // BYTEARRAY8
  0x5d: (m) => m.push([]), // EMPTY_LIST
  0x6c: (m) => m.push(m.popToMark()), // LIST
  0x61: (m) => m.extend(m.popMany(1)), // APPEND
  0x65: (m) => m.extend(m.popToMark()), // APPENDS
  0x29: tuple(0), // EMPTY_TUPLE
  0x85: tuple(1), // TUPLE1
  0x86: tuple(2), // TUPLE2
  0x87: tuple(3), // TUPLE3
  0x74: (m) => m.push(m.popToMark()), // TUPLE
  0x7d: (m) => m.push(new Map()), // EMPTY_DICT
  0x73: (m) => m.setItems(m.popMany(2)), // SETITEM
  0x75: (m) => m.setItems(m.popToMark()), // SETITEMS
  0x8f: (m) => m.push([]), // EMPTY_SET
  0x90: (m) => m.extend(m.popToMark()), // ADDITEMS
  0x91: (m) => m.push(m.popToMark()), // FROZENSET
  0x71: (m, r) => m.memoize(r.u8()), // BINPUT
  0x72: (m, r) => m.memoize(r.u32()), // LONG_BINPUT
  0x94: (m) => m.memoize(), // MEMOIZE
  0x68: (m, r) => m.recall(r.u8()), // BINGET
  0x6a: (m, r) => m.recall(r.u32()), // LONG_BINGET
  0x63: (m, r) => m.global(line(r), line(r)), // GLOBAL
  // STACK_GLOBAL
  0x93: (m) => {
    const [module, name] = m.popMany(2);
    m.global(module, name);
  },
  0x51: (m) => m.persistent(), // BINPERSID
  0x52: (m) => m.call(m.pop(), m.pop()), // REDUCE
  0x81: (m) => m.call(m.pop(), m.pop()), // NEWOBJ
  0x62: (m) => m.build(), // BUILD
};
