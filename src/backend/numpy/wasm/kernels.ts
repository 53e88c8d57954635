import type { Chain } from "./chain.js";
import type { Heap } from "./heap.js";
import type { KernelInstance } from "./instance.js";

/** A matrix in the heap: its address, and the elements between rows and between columns. */
export interface MatrixRef {
  readonly ptr: number;
  readonly rowStride: number;
  readonly colStride: number;
}

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
  readonly heap: Heap;
  #scratch = 0;
  #scratchBytes = 0;

  constructor(instance: KernelInstance, heap: Heap) {
    this.instance = instance;
    this.heap = heap;
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
}

const modeOf = ({ accumulate, bias, relu }: GemmOptions): number =>
  (accumulate ? 1 : 0) | (bias ? 2 : 0) | (relu ? 4 : 0);
