import type { DType } from "../../../core/dtype.js";
import type { ChainBuilder, ChainOp, ChainRef, ChainStorage } from "../wasm/index.js";

/** Writes one op into a chain; gives the value in the registers' form of its dtype. */
export type Emit = (chain: ChainBuilder, args: readonly ChainRef[]) => ChainRef;

/** What a dtype's elements are inside a chain: floats (also those of 16 bits), signed words (also narrow integers), unsigned words, masks. */
type RegisterKind = "float" | "signed" | "unsigned" | "mask";

interface Registers {
  readonly kind: RegisterKind;
  readonly storage: ChainStorage;
  /** From what a load gives to the registers' form. */
  readonly load?: ChainOp;
  /** From the registers' form to what a store takes. */
  readonly save?: ChainOp;
  /** Bits of narrow integers. */
  readonly bits?: number;
}
const registers: Partial<Record<DType, Registers>> = {
  float32: { kind: "float", storage: "word" },
  float16: { kind: "float", storage: "uint16", load: "H2F", save: "F2H" },
  bfloat16: { kind: "float", storage: "uint16", load: "BF2F", save: "F2BF" },
  int32: { kind: "signed", storage: "word" },
  uint32: { kind: "unsigned", storage: "word" },
  int16: { kind: "signed", storage: "int16", bits: 16 },
  uint16: { kind: "signed", storage: "uint16", bits: 16 },
  int8: { kind: "signed", storage: "int8", bits: 8 },
  uint8: { kind: "signed", storage: "uint8", bits: 8 },
  bool: { kind: "mask", storage: "bool" },
};

/** Whether chains can hold elements of `dtype`. */
export const isChainable = (dtype: DType): boolean => registers[dtype] !== undefined;
export const storageOf = (dtype: DType): ChainStorage => registers[dtype]!.storage;

/** A loaded element in the registers' form of `dtype`. */
export function afterLoad(chain: ChainBuilder, x: ChainRef, dtype: DType): ChainRef {
  const { load } = registers[dtype]!;
  return load ? chain.op(load, x) : x;
}
/** A value in the form in which elements of `dtype` are stored. */
export function beforeStore(chain: ChainBuilder, x: ChainRef, dtype: DType): ChainRef {
  const { save } = registers[dtype]!;
  return save ? chain.op(save, x) : x;
}
/** A constant of `dtype`. */
export function immediateOf(chain: ChainBuilder, value: number, dtype: DType): ChainRef {
  const { kind } = registers[dtype]!;
  if (kind === "float") return chain.immediate(value);
  return chain.immediateBits(kind === "mask" ? (value ? -1 : 0) : value | 0);
}

/** Brings the result of an op back into the range of a narrow dtype. */
function wrap(chain: ChainBuilder, x: ChainRef, dtype: DType): ChainRef {
  const { load, save, bits } = registers[dtype]!;
  if (load && save) return chain.op(load, chain.op(save, x));
  if (!bits) return x;
  if (dtype.startsWith("u")) return chain.op("AND", x, chain.immediateBits(2 ** bits - 1));
  return chain.shift("SHRI", chain.shift("SHLI", x, 32 - bits), 32 - bits);
}

const direct =
  (op: ChainOp): Emit =>
  (chain, args) =>
    chain.op(op, ...args);
const swapped =
  (op: ChainOp): Emit =>
  (chain, [x, y]) =>
    chain.op(op, y!, x!);
const negated =
  (emit: Emit): Emit =>
  (chain, args) =>
    chain.op("NOT", emit(chain, args));

type Table = Readonly<Partial<Record<RegisterKind, Emit>>>;
const floats = (op: ChainOp): Table => ({ float: direct(op) });
const arithmetic = (float: ChainOp, signed: ChainOp, unsigned = signed): Table => ({
  float: direct(float),
  signed: direct(signed),
  unsigned: direct(unsigned),
});
const words = (op: ChainOp): Table => ({ signed: direct(op), unsigned: direct(op), mask: direct(op) });

/** Ops whose result has the dtype of their first input. */
const plain: Readonly<Record<string, Table>> = {
  negative: arithmetic("NEG", "INEG"),
  abs: { float: direct("ABS"), signed: direct("IABS"), unsigned: (_, [x]) => x! },
  sign: floats("SIGN"),
  floor: floats("FLOOR"),
  ceil: floats("CEIL"),
  round: floats("ROUND"),
  sqrt: floats("SQRT"),
  rsqrt: floats("RSQRT"),
  exp: floats("EXP"),
  expm1: floats("EXPM1"),
  log: floats("LOG"),
  log1p: floats("LOG1P"),
  sin: floats("SIN"),
  cos: floats("COS"),
  tan: floats("TAN"),
  tanh: floats("TANH"),
  sigmoid: floats("SIGMOID"),
  erf: floats("ERF"),
  bitwiseNot: words("NOT"),
  logicalNot: { mask: direct("NOT") },
  add: arithmetic("ADD", "IADD"),
  subtract: arithmetic("SUB", "ISUB"),
  multiply: arithmetic("MUL", "IMUL"),
  divide: floats("DIV"),
  power: floats("POW"),
  maximum: { ...arithmetic("MAX", "IMAX", "UMAX"), mask: direct("OR") },
  minimum: { ...arithmetic("MIN", "IMIN", "UMIN"), mask: direct("AND") },
  bitwiseAnd: words("AND"),
  bitwiseOr: words("OR"),
  bitwiseXor: words("XOR"),
  logicalAnd: { mask: direct("AND") },
  logicalOr: { mask: direct("OR") },
  logicalXor: { mask: direct("XOR") },
  copy: { float: (_, [x]) => x!, signed: (_, [x]) => x!, unsigned: (_, [x]) => x!, mask: (_, [x]) => x! },
};

/** Ops whose result is bool. */
const tests: Readonly<Record<string, Table>> = {
  equal: { float: direct("EQ"), signed: direct("IEQ"), unsigned: direct("IEQ"), mask: negated(direct("XOR")) },
  notEqual: { float: direct("NE"), signed: direct("INE"), unsigned: direct("INE"), mask: direct("XOR") },
  less: arithmetic("LT", "ILT", "ULT"),
  lessEqual: arithmetic("LE", "ILE", "ULE"),
  greater: { float: swapped("LT"), signed: swapped("ILT"), unsigned: swapped("ULT") },
  greaterEqual: { float: swapped("LE"), signed: swapped("ILE"), unsigned: swapped("ULE") },
  isFinite: { float: (chain, [x]) => chain.op("LT", chain.op("ABS", x!), chain.immediate(Infinity)) },
};

function castEmit(from: DType, to: DType): Emit {
  const source = registers[from]!.kind;
  const target = registers[to]!.kind;
  const convert: Emit = (chain, [x]) => {
    if (target === "mask") {
      if (source === "mask") return x!;
      return source === "float" ? chain.op("NE", x!, chain.immediate(0)) : chain.op("INE", x!, chain.immediateBits(0));
    }
    if (source === "mask") return chain.op("AND", x!, target === "float" ? chain.immediate(1) : chain.immediateBits(1));
    if (target === "float") return source === "float" ? x! : chain.op(source === "signed" ? "I2F" : "U2F", x!);
    return source === "float" ? chain.op(target === "signed" ? "F2I" : "F2U", x!) : x!;
  };
  const { bits } = registers[to]!;
  if (source === "float" && bits) {
    // Floats outside the range of an integer become its nearest value.
    const [low, high] = to.startsWith("u") ? [0, 2 ** bits - 1] : [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
    return (chain, args) =>
      chain.op("IMIN", chain.op("IMAX", convert(chain, args), chain.immediateBits(low)), chain.immediateBits(high));
  }
  return (chain, args) => wrap(chain, convert(chain, args), to);
}

const shiftOps: Readonly<Record<string, { readonly each: ChainOp; readonly all: "SHLI" | "SHRI" | "USHRI" }>> = {
  shiftLeft: { each: "SHL", all: "SHLI" },
  shiftRightLogical: { each: "USHR", all: "USHRI" },
  shiftRightArithmetic: { each: "SHR", all: "SHRI" },
};

/** How a chain performs a primitive, or null when it cannot. `count` is a shift's count where that is a constant. */
export function emitterOf(op: string, inputs: readonly DType[], output: DType, count?: number): Emit | null {
  if (!inputs.every(isChainable) || !isChainable(output)) return null;
  const first = inputs[0]!;
  const { kind } = registers[first]!;
  if (op === "cast") return castEmit(first, output);
  if (op === "bitcast") {
    const word = (dtype: DType): boolean => dtype === "float32" || dtype === "int32" || dtype === "uint32";
    return word(first) && word(output) ? (_, [x]) => x! : null;
  }
  if (op === "select") return direct("SELECT");
  const shift = shiftOps[op];
  if (shift) {
    const exact = first === "int32" || (first === "uint32" && op !== "shiftRightArithmetic");
    if (!exact) return null;
    const inRange = count !== undefined && count >= 0 && count < 32;
    return inRange ? (chain, [x]) => chain.shift(shift.all, x!, count) : direct(shift.each);
  }
  const test = tests[op]?.[kind];
  if (test) return test;
  const emit = plain[op]?.[kind];
  return emit ? (chain, args) => wrap(chain, emit(chain, args), output) : null;
}
