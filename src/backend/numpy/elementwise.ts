import type { DType, Shape, TensorSpec } from "../../core/dtype.js";
import { allocate, NDArray, sizeOf, type TypedArray } from "../../core/ndarray.js";
import { codecOf, type Codec, type Lane, type LaneName, type Lanes } from "./lanes.js";
import { type Bits, bitsPerElement, broadcastStrides, coalesce, rawView } from "./strided.js";
import { loadRange, materialize } from "./strided-copy.js";

/*
 * Every op has one loop for each lane, over dense operands. Broadcast, strided and narrow operands are brought into that
 * form in blocks small enough for the nearest cache: an op's loop is then a function of its own that sees one kind of
 * array, which compiles to far better code than a loop that all ops and layouts share.
 */
export type UnaryLoop<L> = (n: number, x: L, xi: number, out: L, o: number) => void;
export type BinaryLoop<L> = (n: number, x: L, xi: number, y: L, yi: number, out: L, o: number) => void;
export type UnaryLoops = { readonly [K in LaneName]?: UnaryLoop<Lanes[K]> };
export type BinaryLoops = { readonly [K in LaneName]?: BinaryLoop<Lanes[K]> };

/** Elements of a block. */
const BLOCK = 2048;
/** Operands that step over memory are brought into order at once from this size on. */
const LARGE = 4096;

const scratchBuffers = Array.from({ length: 4 }, () => new ArrayBuffer(BLOCK * 8));
const scratch = scratchBuffers.map((buffer) => ({
  1: new Uint8Array(buffer),
  2: new Uint16Array(buffer),
  4: new Int32Array(buffer),
}));
const laneScratch = Array.from({ length: 4 }, () => {
  const buffer = new ArrayBuffer(BLOCK * 8);
  const float = new Float32Array(buffer);
  return { float, int: new Int32Array(buffer), uint: new Uint32Array(buffer), complex: float };
});

/** An operand read at a broadcast shape, as dense blocks of its lane. */
class Source {
  array: Lane;
  /** Where the current block begins, in elements. */
  at = 0;
  /** Length after which the elements repeat, when that is short; in elements. */
  period = 0;
  readonly direct: boolean;
  private readonly codec: Codec;
  private readonly width: number;
  private readonly bits: Bits;
  private readonly base: number;
  private readonly shape: readonly number[] = [];
  private readonly strides: readonly number[] = [];
  private readonly sequential: boolean;
  private loaded = false;

  constructor(
    x: NDArray,
    shape: Shape,
    readonly slot: number,
  ) {
    this.codec = codecOf(x.dtype);
    const whole = x.shape.length === shape.length && x.shape.every((d, i) => d === shape[i]);
    this.sequential = whole && x.isContiguous;
    this.direct = this.sequential && !this.codec.decode;
    this.width = bitsPerElement(x);
    if (this.direct) {
      this.array = x.data as Lane;
      this.bits = emptyBits;
      this.base = x.offset;
      return;
    }
    let raw = rawView(x);
    const full = this.width === 2 ? [...shape, 2] : shape;
    let nest = coalesce(full, [broadcastStrides(raw, full)]);
    const step = Math.abs(nest.strides[0]!.at(-1) ?? 0);
    if (step > 1 && sizeOf(x.shape) >= LARGE) {
      raw = rawView(materialize(x));
      nest = coalesce(full, [broadcastStrides(raw, full)]);
    }
    this.shape = nest.shape;
    this.strides = nest.strides[0]!;
    this.bits = raw.data;
    this.base = raw.offset;
    if (this.shape.length === 0) {
      this.shape = [1];
      this.strides = [0];
    }
    if (this.shape.length === 1 && this.strides[0] === 0) this.period = 1;
    else if (this.shape.length === 2 && this.strides[0] === 0) {
      const length = this.shape[1]! / this.width;
      if (length <= BLOCK / 2) this.period = length;
    }
    this.array = laneScratch[slot]![this.codec.lane];
  }

  load(start: number, count: number): void {
    if (this.direct) {
      this.at = this.base + start;
      return;
    }
    if (this.loaded) return;
    const n = count * this.width;
    if (this.codec.decode && this.sequential) {
      const from = this.base + start;
      this.codec.decode(this.bits.subarray(from, from + count), this.array.subarray(0, count));
      return;
    }
    const bits = this.codec.decode
      ? scratch[this.slot]![this.bits.BYTES_PER_ELEMENT as 1 | 2]
      : laneScratch[this.slot]!.int;
    loadRange(this.shape, this.strides, this.bits, this.base, start * this.width, n, bits);
    this.codec.decode?.(bits.subarray(0, count), this.array.subarray(0, count));
  }

  /** From now on the block just loaded serves all others. */
  keep(): void {
    this.loaded = true;
  }
}
const emptyBits = new Uint8Array(0);

/** Where results go, in blocks when they must be narrowed. */
class Sink {
  readonly direct: boolean;
  readonly stored: TypedArray;
  readonly array: Lane | Uint8Array;
  private readonly encode: Codec["encode"];

  constructor(size: number, dtype: DType, predicate: boolean) {
    const { lane, encode } = codecOf(dtype);
    this.direct = predicate || !encode;
    this.encode = encode;
    this.stored = allocate(dtype, size);
    this.array = this.direct ? (this.stored as Lane) : laneScratch[3]![lane];
  }
  store(start: number, count: number): void {
    if (!this.direct) this.encode!((this.array as Lane).subarray(0, count), this.stored.subarray(start, start + count));
  }
}

function sweep(n: number, sources: readonly Source[], sink: Sink, body: (count: number, out: number) => void): void {
  if (n === 0) return;
  if (sink.direct && sources.every((s) => s.direct)) {
    for (const source of sources) source.load(0, n);
    return body(n, 0);
  }
  const periods = sources.map((s) => s.period).filter((p) => p > 1);
  const block = periods.length ? BLOCK - (BLOCK % periods[0]!) : BLOCK;
  for (let start = 0; start < n; start += block) {
    const count = Math.min(block, n - start);
    for (const source of sources) {
      source.load(start, count);
      if (start === 0 && source.period > 0 && block % source.period === 0) source.keep();
    }
    body(count, sink.direct ? start : 0);
    sink.store(start, count);
  }
}

/** Whether the elements of `x` fill their memory without gaps in some order of the axes other than row-major. */
function isPermuted(x: NDArray): boolean {
  if (x.isContiguous) return false;
  const axes = x.shape.map((_, i) => i).sort((i, j) => x.strides[j]! - x.strides[i]! || i - j);
  let step = 1;
  for (let k = axes.length - 1; k >= 0; k--) {
    const axis = axes[k]!;
    if (x.shape[axis] === 1) continue;
    if (x.strides[axis] !== step) return false;
    step *= x.shape[axis]!;
  }
  return true;
}

/** Strides with which all of `arrays` can be walked in memory order, single elements aside; null for row-major order. */
function sharedLayout(arrays: readonly NDArray[], shape: Shape): readonly number[] | null {
  let layout: readonly number[] | null = null;
  for (const x of arrays) {
    if (x.size === 1) continue;
    if (x.shape.length !== shape.length || x.shape.some((d, i) => d !== shape[i])) return null;
    if (layout === null) {
      if (!isPermuted(x)) return null;
      layout = x.strides;
    } else if (layout.some((s, i) => s !== x.strides[i] && shape[i] !== 1)) return null;
  }
  return layout;
}

const inMemoryOrder = (x: NDArray, n: number): NDArray =>
  x.size === 1 ? new NDArray(x.data, [], x.dtype, [], x.offset) : new NDArray(x.data, [n], x.dtype, [1], x.offset);

/** Runs `body` over blocks of the operands; returns the result, laid out as the operands when they agree. */
export function mapBlocks(
  operands: readonly NDArray[],
  { shape, dtype }: TensorSpec,
  predicate: boolean,
  prepare: (sources: readonly Source[], out: Lane | Uint8Array) => (count: number, out: number) => void,
): NDArray {
  const n = sizeOf(shape);
  const layout = n > 1 ? sharedLayout(operands, shape) : null;
  const inputs = layout ? operands.map((x) => inMemoryOrder(x, n)) : operands;
  const sources = inputs.map((x, slot) => new Source(x, layout ? [n] : shape, slot));
  const sink = new Sink(n, dtype, predicate);
  sweep(n, sources, sink, prepare(sources, sink.array));
  return layout ? new NDArray(sink.stored, shape, dtype, layout) : new NDArray(sink.stored, shape, dtype);
}

const missing = (op: string, x: NDArray): TypeError =>
  new TypeError(`${op} is not defined for ${x.dtype} on the numpy engine. Cast the tensor first.`);

/** Applies a one-operand loop; `predicate` says that it writes bools. */
export function mapUnary(op: string, loops: UnaryLoops, x: NDArray, spec: TensorSpec, predicate = false): NDArray {
  const loop = loops[codecOf(x.dtype).lane] as UnaryLoop<Lane> | undefined;
  if (!loop) throw missing(op, x);
  return mapBlocks(
    [x],
    spec,
    predicate,
    ([a], out) =>
      (n, o) =>
        loop(n, a!.array, a!.at, out as Lane, o),
  );
}

/** Applies a two-operand loop to operands that broadcast; `predicate` says that it writes bools. */
export function mapBinary(
  op: string,
  loops: BinaryLoops,
  x: NDArray,
  y: NDArray,
  spec: TensorSpec,
  predicate = false,
): NDArray {
  const loop = loops[codecOf(x.dtype).lane] as BinaryLoop<Lane> | undefined;
  if (!loop) throw missing(op, x);
  return mapBlocks(
    [x, y],
    spec,
    predicate,
    ([a, b], out) =>
      (n, o) =>
        loop(n, a!.array, a!.at, b!.array, b!.at, out as Lane, o),
  );
}
