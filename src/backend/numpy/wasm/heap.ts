import { HeapMemory } from "./heap-memory.js";

const PAGE = 65536;
const ALIGN = 64;
/** Kernels may read a few vectors past the end of a buffer, so the end of the memory is never handed out. */
const SLACK = 256;
/** Below lie the kernels' constants. */
const BASE = PAGE;
const GROWTH = 256;
const LIMIT = 65536;
const SEARCH = 32;

/** A piece of the memory, linked with its neighbours by address and, while free, with others of its class. */
interface Block {
  ptr: number;
  size: number;
  free: boolean;
  before: Block | null;
  after: Block | null;
  previousFree: Block | null;
  nextFree: Block | null;
}

/**
 * Allocator over a WebAssembly memory: two-level segregated fit (Masmano et al., "TLSF", 2004), so both calls take constant time and
 * neighbours that are free merge. Pointers are byte offsets, multiples of 64.
 */
export class Heap extends HeapMemory {
  readonly memory: WebAssembly.Memory;
  #buffer: ArrayBufferLike;
  readonly #used = new Map<number, Block>();
  readonly #bins: (Block | null)[] = new Array<Block | null>(32 * 8).fill(null);
  /** Which of a level's eight bins, and which levels, hold blocks. */
  readonly #levels = new Uint8Array(32);
  #last: Block | null = null;
  #inUse = 0;

  constructor(memory: WebAssembly.Memory) {
    super();
    this.memory = memory;
    this.#buffer = memory.buffer;
    this.#extend(BASE, memory.buffer.byteLength - SLACK);
  }

  override get bytesInUse(): number {
    return this.#inUse;
  }

  /** Bytes the memory has. */
  get bytesReserved(): number {
    return this.memory.buffer.byteLength;
  }

  override get allocations(): number {
    return this.#used.size;
  }

  override malloc(bytes: number): number {
    if (!Number.isInteger(bytes) || bytes < 0) {
      throw new RangeError(`A size in bytes must be a non-negative integer. Received: ${bytes}.`);
    }
    const size = Math.max(ALIGN, Math.ceil(bytes / ALIGN) * ALIGN);
    const block = this.#find(size) ?? this.#grow(size);
    this.#unlink(block);
    if (block.size > size) this.#split(block, size);
    block.free = false;
    this.#used.set(block.ptr, block);
    this.#inUse += block.size;
    return block.ptr;
  }

  override free(ptr: number): void {
    let block = this.#used.get(ptr);
    if (!block) throw new RangeError(`Nothing is allocated at address ${ptr}: it was freed already or never reserved.`);
    this.#used.delete(ptr);
    this.#inUse -= block.size;
    const { before, after } = block;
    if (after?.free) {
      this.#unlink(after);
      this.#absorb(block, after);
    }
    if (before?.free) {
      this.#unlink(before);
      this.#absorb(before, block);
      block = before;
    }
    this.#link(block);
  }

  /** Bytes reserved for the allocation at `ptr` (at least what was asked for). */
  sizeOf(ptr: number): number {
    return this.#used.get(ptr)?.size ?? 0;
  }

  override get buffer(): ArrayBufferLike {
    return this.#buffer;
  }

  #grow(size: number): Block {
    const end = this.memory.buffer.byteLength;
    const spare = this.#last?.free ? this.#last.size : 0;
    const needed = Math.ceil((size - spare) / PAGE);
    const pages = end / PAGE;
    for (const step of [Math.max(needed, GROWTH, pages >> 3), needed]) {
      if (pages + step > LIMIT) continue;
      try {
        this.memory.grow(step);
      } catch {
        continue;
      }
      this.#buffer = this.memory.buffer;
      this.#extend(end - SLACK, this.#buffer.byteLength - SLACK);
      return this.#last!;
    }
    throw new RangeError(
      `Out of WebAssembly memory: ${size} bytes were asked for, ${this.#inUse} are in use and ${end} reserved; a page has at most 4 GiB. ` +
        "Free tensors, or use smaller batches.",
    );
  }

  /** Adds [from, to) to the free space at the end. */
  #extend(from: number, to: number): void {
    const last = this.#last;
    if (last?.free) {
      this.#unlink(last);
      last.size += to - from;
      this.#link(last);
      return;
    }
    const block = {
      ptr: from,
      size: to - from,
      free: true,
      before: last,
      after: null,
      previousFree: null,
      nextFree: null,
    };
    if (last) last.after = block;
    this.#last = block;
    this.#link(block);
  }

  #split(block: Block, size: number): void {
    const rest: Block = {
      ptr: block.ptr + size,
      size: block.size - size,
      free: true,
      before: block,
      after: block.after,
      previousFree: null,
      nextFree: null,
    };
    if (rest.after) rest.after.before = rest;
    else this.#last = rest;
    block.after = rest;
    block.size = size;
    this.#link(rest);
  }

  #absorb(block: Block, next: Block): void {
    block.size += next.size;
    block.after = next.after;
    if (next.after) next.after.before = block;
    else this.#last = block;
  }

  /** A free block that surely holds `size`: the smallest non-empty class whose every member does, else a fitting one of the size's own class. */
  #find(size: number): Block | null {
    const bin = binOf(size);
    let level = (bin + 1) >> 3;
    let mask = this.#levels[level]! & (0xff << ((bin + 1) & 7));
    while (mask === 0 && ++level < 32) mask = this.#levels[level]!;
    const twin = this.#search(bin, (block) => block.size === size);
    if (twin) return twin;
    if (mask !== 0) return this.#bins[level * 8 + (31 - Math.clz32(mask & -mask))]!;
    return this.#search(bin, (block) => block.size >= size);
  }

  /** The first of a bin's most recent blocks that fits. */
  #search(bin: number, fits: (block: Block) => boolean): Block | null {
    let block = this.#bins[bin] ?? null;
    for (let looked = 0; block && looked < SEARCH; looked++, block = block.nextFree) if (fits(block)) return block;
    return null;
  }

  #link(block: Block): void {
    const bin = binOf(block.size);
    const first = this.#bins[bin]!;
    block.free = true;
    block.previousFree = null;
    block.nextFree = first;
    if (first) first.previousFree = block;
    this.#bins[bin] = block;
    this.#levels[bin >> 3]! |= 1 << (bin & 7);
  }

  #unlink(block: Block): void {
    const { previousFree, nextFree } = block;
    if (nextFree) nextFree.previousFree = previousFree;
    if (previousFree) previousFree.nextFree = nextFree;
    else {
      const bin = binOf(block.size);
      this.#bins[bin] = nextFree;
      if (!nextFree) this.#levels[bin >> 3]! &= ~(1 << (bin & 7));
    }
    block.free = false;
  }
}

/** Class of a size: eight to each power of two. */
function binOf(size: number): number {
  const units = size / ALIGN;
  if (units < 8) return units;
  const log = 31 - Math.clz32(units);
  return (log - 2) * 8 + ((units >>> (log - 3)) & 7);
}
