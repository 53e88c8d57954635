import type { TypedArray } from "../../../core/ndarray.js";
import type { Chain } from "./chain.js";
import type { HeapMemory } from "./heap-memory.js";
import type { KernelInstance } from "./instance.js";
import { planCopy } from "./copy-plan.js";
import { type WindowShape, windowWords } from "./window-shape.js";

/** A matrix in the heap: its address, and the elements between rows and between columns. */
export interface MatrixRef {
  readonly ptr: number;
  readonly rowStride: number;
  readonly colStride: number;
}

const pools = { max: 0, sum: 1, mean: 2 } as const;
const reductions = { sum: 0, max: 1, min: 2, prod: 3 } as const;

const sortKinds = { float32: 0, int32: 1, uint32: 2 } as const;
const TOTAL_ORDER = 3;

/** Dtypes that rows can be sorted in. */
export type SortDType = keyof typeof sortKinds;
/** What an index outside reads: the nearest element, or the word given as `fill`. */
export type Outside = "clip" | "fill";

/** What a pooling does with a window; "mean" divides by the pixels that lie inside the image. */
export type PoolKind = keyof typeof pools;
export type Reduction = keyof typeof reductions;

export interface GemmOptions {
  /** Adds to C in place of overwriting it. */
  readonly accumulate?: boolean;
  /** Address of a row of n floats added to every row. */
  readonly bias?: number;
  /** Clamps below at 0 last (NaN stays). */
  readonly relu?: boolean;
}

/** Typed access to the compiled kernels. Pointers are byte addresses in the heap; nothing is checked, so sizes must be right. */
export class Kernels {
  readonly instance: KernelInstance;
  readonly heap: HeapMemory;
  #scratch = 0;
  #scratchBytes = 0;
  readonly #description: number;

  constructor(instance: KernelInstance, heap: HeapMemory) {
    this.instance = instance;
    this.heap = heap;
    this.#description = heap.malloc(128);
  }

  /** A workspace of at least `bytes`, valid until the next kernel call. */
  scratch(bytes: number): number {
    if (bytes > this.#scratchBytes) {
      if (this.#scratchBytes > 0) this.heap.free(this.#scratch);
      this.#scratchBytes = 0;
      this.#scratch = this.heap.malloc(bytes);
      this.#scratchBytes = bytes;
    }
    return this.#scratch;
  }

  /** C[m, n] = A[m, k] B[k, n] (+ bias)(relu). C's columns are adjacent, its rows `cStride` elements apart. */
  gemm(
    m: number,
    n: number,
    k: number,
    a: MatrixRef,
    b: MatrixRef,
    c: number,
    cStride: number,
    options: GemmOptions = {},
  ): void {
    const { exports } = this.instance;
    const workspace = this.scratch(exports.gemmWorkspace(m, n, k) >>> 0);
    const { ptr: pa, rowStride: ra, colStride: ca } = a;
    const { ptr: pb, rowStride: rb, colStride: cb } = b;
    exports.gemm(
      m,
      n,
      k,
      pa,
      ra * 4,
      ca * 4,
      pb,
      rb * 4,
      cb * 4,
      c,
      cStride * 4,
      workspace,
      modeOf(options),
      options.bias ?? 0,
    );
  }

  /** `count` products; `aStep`, `bStep` and `cStep` are the elements between consecutive matrices (0 repeats an operand). */
  gemmBatched(
    count: number,
    m: number,
    n: number,
    k: number,
    a: MatrixRef,
    aStep: number,
    b: MatrixRef,
    bStep: number,
    c: number,
    cStride: number,
    cStep: number,
    options: GemmOptions = {},
  ): void {
    const { exports } = this.instance;
    const workspace = this.scratch(exports.gemmWorkspace(m, n, k) >>> 0);
    const left = [a.ptr, aStep * 4, a.rowStride * 4, a.colStride * 4];
    const right = [b.ptr, bStep * 4, b.rowStride * 4, b.colStride * 4];
    const rest = [c, cStep * 4, cStride * 4, workspace, modeOf(options), options.bias ?? 0];
    exports.gemmBatched(count, m, n, k, ...left, ...right, ...rest);
  }

  /** Copies a chain into the heap; `bindChain` gives it its buffers, `heap.free` drops it. */
  uploadChain(chain: Chain): number {
    const ptr = this.heap.malloc(chain.words.byteLength);
    this.heap.view(ptr, "int32", chain.words.length).set(chain.words);
    return ptr;
  }

  /** Writes the buffers of an uploaded chain, in the order its operands and stores were declared. */
  bindChain(code: number, chain: Chain, operands: readonly number[], outputs: readonly number[]): void {
    const words = this.heap.view(code, "int32", chain.words.length);
    chain.operandPointers.forEach((at, i) => (words[at] = operands[i]!));
    chain.outputPointers.forEach((at, i) => (words[at] = outputs[i]!));
  }

  /** Computes output elements [start, end) of an uploaded, bound chain. */
  runChain(code: number, chain: Chain, start: number, end: number): void {
    this.instance.exports.runChain(code, start, end, this.scratch(chain.workspaceBytes));
  }

  /** y = conv(x, w) (+ bias)(relu): x NHWC, w HWIO with I = channels / groups. */
  convForward(shape: WindowShape, x: number, w: number, y: number, options: GemmOptions = {}): void {
    const { exports } = this.instance;
    const desc = this.#describe(windowWords(shape));
    const workspace = this.scratch(exports.convWorkspace(desc) >>> 0);
    exports.convForward(desc, x, w, y, workspace, modeOf(options), options.bias ?? 0);
  }

  /** dw = gradient of the convolution with respect to its kernel, for the output gradient g. */
  convKernelGradient(shape: WindowShape, x: number, g: number, dw: number): void {
    const { exports } = this.instance;
    const desc = this.#describe(windowWords(shape));
    exports.convKernelGradient(desc, x, g, dw, this.scratch(exports.convWorkspace(desc) >>> 0));
  }

  /** dx = gradient of the convolution with respect to its image, for the output gradient g: also the transposed convolution. */
  convInputGradient(shape: WindowShape, g: number, w: number, dx: number): void {
    const { exports } = this.instance;
    const desc = this.#describe(windowWords(shape));
    exports.convInputGradient(desc, g, w, dx, this.scratch(exports.convWorkspace(desc) >>> 0));
  }

  /** y = pooled x. Padding never wins a maximum (an empty window gives -inf) and adds nothing to sums. */
  pool(kind: PoolKind, shape: WindowShape, x: number, y: number): void {
    this.instance.exports.pool(this.#describe(windowWords(shape)), x, y, pools[kind]);
  }

  /** dx = g at the first maximum, in row-major order, of each window of x. */
  maxPoolGradient(shape: WindowShape, x: number, g: number, dx: number): void {
    this.instance.exports.maxPoolGradient(this.#describe(windowWords(shape)), x, g, dx);
  }

  /** dx = g spread over each window, divided by the pixels inside for "mean". */
  sumPoolGradient(kind: "sum" | "mean", shape: WindowShape, g: number, dx: number): void {
    this.instance.exports.sumPoolGradient(this.#describe(windowWords(shape)), g, dx, pools[kind]);
  }

  /** y[outer, inner] = reduction over n of x[outer, n, inner]. NaN wins max and min; n = 0 gives 0, -inf, inf or 1. */
  reduce(kind: Reduction, x: number, y: number, outer: number, n: number, inner: number): void {
    const workspace = kind === "sum" && inner > 1 ? this.scratch(inner * 8 + 64) : 0;
    this.instance.exports.reduce(reductions[kind], x, y, outer, n, inner, workspace);
  }

  /** y[outer, inner] = whether all (or any) over n of the bools x[outer, n, inner] are true. */
  reduceBools(kind: "all" | "any", x: number, y: number, outer: number, n: number, inner: number): void {
    this.instance.exports.reduceBools(kind === "all" ? 1 : 0, x, y, outer, n, inner);
  }

  /** y[outer, inner] (int32) = index over n of the first extreme of x[outer, n, inner]; the first NaN wins. n >= 1. */
  argExtreme(kind: "max" | "min", x: number, y: number, outer: number, n: number, inner: number): void {
    this.instance.exports.argExtreme(kind === "min" ? 1 : 0, x, y, outer, n, inner);
  }

  /** Copies elements of 1, 2, 4 or 8 bytes between strided layouts of one shape (source strides may be 0 or negative). */
  copyStrided(
    bytes: 1 | 2 | 4 | 8,
    shape: readonly number[],
    src: number,
    srcStrides: readonly number[],
    dst: number,
    dstStrides: readonly number[],
  ): void {
    const plan = planCopy(shape, srcStrides, dstStrides);
    if (!plan) return;
    const pad = new Array<number>(6 - plan.sizes.length).fill(0);
    const words = [plan.sizes.length, ...plan.sizes, ...pad, ...plan.from, ...pad, ...plan.to, ...pad];
    this.instance.exports.copyStrided(this.#describe(words), src, dst, 31 - Math.clz32(bytes));
  }

  /** Repeats an element, of one size that divides 8, over `bytes` bytes. */
  fill(to: number, bytes: number, element: TypedArray): void {
    const pattern = new Uint8Array(8);
    const { buffer, byteOffset, byteLength } = element;
    for (let at = 0; at < 8; at += byteLength) pattern.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    const [low, high] = new Int32Array(pattern.buffer);
    this.instance.exports.fillBytes(to, bytes, low!, high!);
  }

  /**
   * dst[o, i] = src[o, index[i]] for rows of `rowBytes` bytes, a multiple of 4, int32 indices and o < `outer`. Outside [0, rows): the nearest
   * row ("clip"), or every word is `fill` (default: the bits of NaN).
   */
  takeRows(
    src: number,
    rows: number,
    rowBytes: number,
    index: number,
    n: number,
    dst: number,
    outside: Outside = "clip",
    fill = 0x7fc00000,
    outer = 1,
  ): void {
    const mode = outside === "fill" ? 1 : 0;
    this.instance.exports.takeRows(src, rows, rowBytes, index, n, dst, mode, fill, outer);
  }

  /** dst[o, i, j] = src[o, index[o, i, j], j] for 32-bit words, o < outer, i < n, j < inner; `rows` indices are inside. */
  takeAlong(
    src: number,
    rows: number,
    inner: number,
    index: number,
    n: number,
    dst: number,
    outside: Outside,
    fill: number,
    outer: number,
  ): void {
    const mode = outside === "fill" ? 1 : 0;
    this.instance.exports.takeAlong(src, rows, inner, index, n, dst, mode, fill, outer);
  }

  /** y = the rows of x[rows, n] in order; NaNs count as above everything, zeros of either sign as equal, equals keep their order. */
  sortRows(dtype: SortDType, descending: boolean, x: number, y: number, rows: number, n: number): void {
    const { exports } = this.instance;
    const workspace = this.scratch(exports.sortWorkspace(n) >>> 0);
    exports.sortRows(x, y, rows, n, sortKinds[dtype], descending ? -1 : 0, workspace);
  }

  /** y (int32) = the positions that put the rows of x[rows, n] in that order. */
  argSortRows(dtype: SortDType, descending: boolean, x: number, y: number, rows: number, n: number): void {
    const { exports } = this.instance;
    const workspace = this.scratch(exports.sortWorkspace(n) >>> 0);
    exports.argSortRows(x, y, rows, n, sortKinds[dtype], descending ? -1 : 0, workspace);
  }

  /** The k largest of each row of x[rows, n], largest first, and their int32 positions; floats in the total order of IEEE 754. */
  topRows(dtype: SortDType, x: number, values: number, places: number, rows: number, n: number, k: number): void {
    const { exports } = this.instance;
    const kind = dtype === "float32" ? TOTAL_ORDER : sortKinds[dtype];
    exports.topRows(x, values, places, rows, n, k, kind, this.scratch(exports.sortWorkspace(n) >>> 0));
  }

  /** dst[index[i]] += src[i] for rows of `width` floats, in order; indices outside [0, rows) are dropped. */
  scatterAddRows(dst: number, rows: number, width: number, index: number, n: number, src: number): void {
    this.instance.exports.scatterAddRows(dst, rows, width, index, n, src);
  }

  /**
   * Random bits of threefry2x32 for counters start... start + n - 1 (JAX's partitionable layout): out[i] = x0 ^ x1. With `second`, x0 goes
   * to `out` and x1 to `second` (key splitting). `start` is a safe integer.
   */
  threefry(k0: number, k1: number, start: number, n: number, out: number, second = 0): void {
    this.instance.exports.threefry(k0, k1, Math.floor(start / 4294967296), start % 4294967296, n, out, second);
  }

  /** Writes a kernel's description to memory kept for that. */
  #describe(words: readonly number[]): number {
    this.heap.view(this.#description, "int32", words.length).set(words);
    return this.#description;
  }
}

const modeOf = ({ accumulate, bias, relu }: GemmOptions): number =>
  (accumulate ? 1 : 0) | (bias ? 2 : 0) | (relu ? 4 : 0);
