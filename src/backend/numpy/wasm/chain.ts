import { mergeAxes } from "./merge-axes.js";
import { OPCODE } from "./module.generated.js";

// Encoding, in 32-bit words:
//   header (16): operands, instructions, outputs, registers, 12 unused
//   operand (16): access, storage, pointer or immediate bits, rank, sizes[6], strides[6]   (a periodic one has its period as sizes[0])
//   output (4): pointer, bytes of an element, 2 unused
//   instruction (5): opcode, destination, a, b, c   (slots: operands first, then registers, then outputs)
const HEADER = 16;
const OPERAND = 16;
const OUTPUT = 4;
const INSTRUCTION = 5;
const BLOCK_BYTES = 2048;
const LONGEST_PERIOD = 512;
const MAX_RANK = 6;

/** Name of an instruction of a chain. */
export type ChainOp = keyof typeof OPCODE;
/** How elements lie in memory: "word" is any 4-byte type; narrower ones widen on loading, bool to an all-ones mask. */
export type ChainStorage = "word" | "uint8" | "int8" | "uint16" | "int16" | "bool";

/** Where an operand's element for output element i lies. Strides count elements. */
export type ChainAccess =
  | { readonly kind: "full" }
  | { readonly kind: "scalar" }
  | { readonly kind: "periodic"; readonly period: number }
  | { readonly kind: "strided"; readonly sizes: readonly number[]; readonly strides: readonly number[] };

/** A value inside a chain under construction. */
export type ChainRef = number & { readonly chainRef: unique symbol };

/** An encoded chain: copy `words` to 64-byte aligned memory, write the pointers, run. */
export interface Chain {
  readonly words: Int32Array;
  /** Word index of each operand's pointer, in the order of `operand` calls. */
  readonly operandPointers: readonly number[];
  /** Word index of each output's pointer, in the order of `store` calls. */
  readonly outputPointers: readonly number[];
  /** Bytes of workspace that running needs. */
  readonly workspaceBytes: number;
}

interface Operand {
  readonly words: readonly number[];
  /** Read in place while the program runs, so a store to the same buffer must wait. */
  readonly direct: boolean;
  readonly bytes: number;
  readonly bound: boolean;
}
interface Node {
  readonly operand?: number;
  readonly op?: ChainOp;
  readonly args: readonly number[];
  /** Immediate shift count. */
  readonly count?: number;
}

const storageCode = { word: 0, uint8: 1, int8: 2, uint16: 3, int16: 4, bool: 5 } as const satisfies Record<
  ChainStorage,
  number
>;
const storageBytes = { word: 4, uint8: 1, int8: 1, uint16: 2, int16: 2, bool: 1 } as const satisfies Record<
  ChainStorage,
  number
>;
const storeOp = {
  word: "COPY",
  uint8: "STORE8",
  int8: "STORE8",
  uint16: "STORE16",
  int16: "STORE16",
  bool: "STOREMASK",
} as const satisfies Record<ChainStorage, ChainOp>;

/** The cheapest access for an operand of element `strides` read over an output of `shape` (0 = broadcast). Throws past six merged axes. */
export function chainAccess(shape: readonly number[], strides: readonly number[]): ChainAccess {
  const { sizes, steps } = mergeAxes(shape, strides);
  if (steps.every((step) => step === 0)) return { kind: "scalar" };
  if (sizes.length === 1 && steps[0] === 1) return { kind: "full" };
  if (sizes.length === 2 && steps[0] === 0 && steps[1] === 1) return { kind: "periodic", period: sizes[1]! };
  if (sizes.length > MAX_RANK) {
    throw new RangeError(`A chain operand may have ${MAX_RANK} axes that do not merge. Received: ${sizes.length}.`);
  }
  return { kind: "strided", sizes, strides: steps };
}

/** Writes elementwise chains for `Kernels.runChain`: operands, then operations, then stores; `build` encodes. */
export class ChainBuilder {
  readonly #operands: Operand[] = [];
  readonly #nodes: Node[] = [];
  readonly #stores: { readonly node: number; readonly storage: ChainStorage }[] = [];
  readonly #immediates = new Map<number, ChainRef>();

  /** A memory operand; its pointer is written into the built chain later. */
  operand(access: ChainAccess, storage: ChainStorage = "word"): ChainRef {
    const words = new Array<number>(OPERAND).fill(0);
    words[1] = storageCode[storage];
    const direct = access.kind === "full" && storage === "word";
    let bytes = direct ? 0 : BLOCK_BYTES + 64;
    if (access.kind === "scalar") words[0] = 2;
    else if (access.kind === "periodic" && access.period <= LONGEST_PERIOD) {
      words[0] = 3;
      words[4] = access.period;
      bytes += BLOCK_BYTES;
    } else if (access.kind !== "full") {
      // A long period is a last axis under an endless first one.
      const { sizes, strides } = access.kind === "strided" ? access : { sizes: [1, access.period], strides: [0, 1] };
      words[0] = 4;
      words[3] = sizes.length;
      sizes.forEach((size, i) => (words[4 + i] = size));
      strides.forEach((stride, i) => (words[10 + i] = stride));
      bytes += 64;
    }
    return this.#addOperand({ words, direct, bytes, bound: true });
  }

  /** A constant: a float32 by value, or any word by its bits (`immediateBits`). */
  immediate(value: number): ChainRef {
    return this.immediateBits(new Int32Array(Float32Array.of(value).buffer)[0]!);
  }

  /** A constant word: an int32, or all ones (-1) and 0 for masks. */
  immediateBits(bits: number): ChainRef {
    const known = this.#immediates.get(bits | 0);
    if (known !== undefined) return known;
    const words = [1, 0, bits | 0, ...new Array<number>(OPERAND - 3).fill(0)];
    const ref = this.#addOperand({ words, direct: false, bytes: BLOCK_BYTES + 64, bound: false });
    this.#immediates.set(bits | 0, ref);
    return ref;
  }

  /** Applies an operation elementwise. Comparisons give masks (all ones or 0), `SELECT` takes (mask, then, otherwise). */
  op(op: ChainOp, ...args: readonly ChainRef[]): ChainRef {
    return this.#addNode({ op, args });
  }

  /** Shifts every element by the same count, 0 to 31. */
  shift(op: "SHLI" | "SHRI" | "USHRI", a: ChainRef, count: number): ChainRef {
    return this.#addNode({ op, args: [a], count });
  }

  /** Writes a value to the next output; returns that output's index. An output may be the very buffer of a full operand. */
  store(ref: ChainRef, storage: ChainStorage = "word"): number {
    this.#stores.push({ node: ref, storage });
    return this.#stores.length - 1;
  }

  /** Encodes the chain, giving registers back after their last use. */
  build(): Chain {
    const nodes = this.#nodes;
    const operands = this.#operands;
    const lastUse = new Array<number>(nodes.length).fill(-1);
    let lastDirectRead = -1;
    nodes.forEach((node, i) => {
      for (const arg of node.args) {
        lastUse[arg] = i;
        const operand = nodes[arg]!.operand;
        if (operand !== undefined && operands[operand]!.direct) lastDirectRead = i;
      }
    });
    // A plain store of a value computed after every in-place read goes straight to memory; the others follow at the end.
    const direct = new Map<number, number>();
    this.#stores.forEach(({ node, storage }, output) => {
      const { op } = nodes[node]!;
      if (op !== undefined && storage === "word" && node >= lastDirectRead && !direct.has(node))
        direct.set(node, output);
      else lastUse[node] = nodes.length;
    });

    const free: number[] = [];
    let registers = 0;
    const place = new Array<number>(nodes.length).fill(-1);
    const program: [op: ChainOp, dst: number, args: number[]][] = [];
    const REGISTER = 1 << 20;
    const STORE = 1 << 21;
    nodes.forEach((node, i) => {
      if (node.operand !== undefined) {
        place[i] = node.operand;
        return;
      }
      const args = node.args.map((arg) => place[arg]!);
      for (const arg of new Set(node.args)) {
        const at = place[arg]!;
        if (lastUse[arg] === i && at >= REGISTER && at < STORE) free.push(at);
      }
      const output = direct.get(i);
      if (output !== undefined) place[i] = STORE + output;
      else if (lastUse[i] === -1) return;
      else place[i] = free.pop() ?? REGISTER + registers++;
      program.push([node.op!, place[i]!, node.count === undefined ? args : [args[0]!, node.count]]);
    });
    this.#stores.forEach(({ node, storage }, output) => {
      if (direct.get(node) !== output) program.push([storeOp[storage], STORE + output, [place[node]!]]);
    });

    const stores = this.#stores.length;
    const tableAt = HEADER + operands.length * OPERAND;
    const programAt = tableAt + stores * OUTPUT;
    const words = new Int32Array(programAt + program.length * INSTRUCTION);
    words.set([operands.length, program.length, stores, registers]);
    operands.forEach((operand, i) => words.set(operand.words, HEADER + i * OPERAND));
    this.#stores.forEach(({ storage }, i) => (words[tableAt + i * OUTPUT + 1] = storageBytes[storage]));
    const slot = (at: number): number => {
      if (at >= STORE) return operands.length + registers + at - STORE;
      return at >= REGISTER ? operands.length + at - REGISTER : at;
    };
    program.forEach(([op, dst, args], i) => {
      const shift = op === "SHLI" || op === "SHRI" || op === "USHRI";
      const encoded = args.map((arg, j) => (shift && j === 1 ? arg : slot(arg)));
      words.set([OPCODE[op], slot(dst), ...encoded], programAt + i * INSTRUCTION);
    });
    const tables = (2 * operands.length + registers + stores) * 4 + 64;
    const buffers = operands.reduce((sum, operand) => sum + operand.bytes, 0);
    return {
      words,
      operandPointers: operands.flatMap(({ bound }, i) => (bound ? [HEADER + i * OPERAND + 2] : [])),
      outputPointers: this.#stores.map((_, i) => tableAt + i * OUTPUT),
      workspaceBytes: tables + buffers + (registers + stores) * BLOCK_BYTES + 64,
    };
  }

  #addOperand(operand: Operand): ChainRef {
    this.#operands.push(operand);
    return this.#addNode({ operand: this.#operands.length - 1, args: [] });
  }

  #addNode(node: Node): ChainRef {
    return (this.#nodes.push(node) - 1) as ChainRef;
  }
}
