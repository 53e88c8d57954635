import type { DType } from "../../../core/dtype.js";

/** The ops of chains in the order of their numbers (`ChainOp` in native/torch/src/loops/chain-loops.h): only append. */
const names = [
  "copy",
  "add",
  "subtract",
  "multiply",
  "divide",
  "maximum",
  "minimum",
  "negative",
  "abs",
  "sign",
  "floor",
  "ceil",
  "round",
  "sqrt",
  "rsqrt",
  "exp",
  "log",
  "sigmoid",
  "tanh",
  "equal",
  "notEqual",
  "less",
  "lessEqual",
  "isFinite",
  "select",
  "intAdd",
  "intSubtract",
  "intMultiply",
  "intMaximum",
  "intMinimum",
  "intNegative",
  "intEqual",
  "intNotEqual",
  "intLess",
  "intLessEqual",
  "and",
  "or",
  "xor",
  "not",
  "logicalNot",
  "shiftLeft",
  "shiftRight",
  "shiftRightUnsigned",
  "floatOfInt",
  "intOfFloat",
] as const;
/** An op of chains. */
export type ChainOp = (typeof names)[number];

let numbers: ReadonlyMap<string, number> | null = null;
/** The number of an op in the code of chains. */
export const numberOf = (op: ChainOp): number =>
  (numbers ??= new Map(names.map((name, number) => [name, number]))).get(op)!;

/** A value of a chain while it is written. */
export type ChainValue = number;
/** Where ops are written to. */
export interface ChainWriter {
  op(op: ChainOp, ...operands: readonly ChainValue[]): ChainValue;
  /** A constant by the 32 bits of its word. */
  bits(bits: number): ChainValue;
  float(value: number): ChainValue;
}
/** Writes a primitive into a chain; gives its result. */
export type Emit = (chain: ChainWriter, operands: readonly ChainValue[]) => ChainValue;

type Kind = "float" | "signed" | "unsigned" | "bool";
const kinds: Readonly<Partial<Record<DType, Kind>>> = {
  float32: "float",
  int32: "signed",
  uint32: "unsigned",
  bool: "bool",
};
/** Whether chains hold elements of `dtype`: as words of 32 bits, bools as 0 and 1. */
export const isChainable = (dtype: DType): boolean => kinds[dtype] !== undefined;

const direct =
  (op: ChainOp): Emit =>
  (chain, operands) =>
    chain.op(op, ...operands);
const swapped =
  (op: ChainOp): Emit =>
  (chain, [a, b]) =>
    chain.op(op, b!, a!);
const same: Emit = (_, [a]) => a!;

type Table = Readonly<Partial<Record<Kind, Emit>>>;
const floats = (op: ChainOp): Table => ({ float: direct(op) });
const numeric = (float: ChainOp, int: ChainOp): Table => ({
  float: direct(float),
  signed: direct(int),
  unsigned: direct(int),
});
/** For ops to which the sign matters: unsigned words are left to others. */
const ordered = (float: ChainOp, int: ChainOp, make = direct): Table => ({ float: make(float), signed: make(int) });
const words = (op: ChainOp): Table => ({ signed: direct(op), unsigned: direct(op), bool: direct(op) });

/** By primitive: how it is written for operands of a kind (that of its second operand for `select`). */
const table = (): Readonly<Record<string, Table>> => ({
  add: numeric("add", "intAdd"),
  subtract: numeric("subtract", "intSubtract"),
  multiply: numeric("multiply", "intMultiply"),
  divide: floats("divide"),
  maximum: { ...ordered("maximum", "intMaximum"), bool: direct("or") },
  minimum: { ...ordered("minimum", "intMinimum"), bool: direct("and") },
  negative: numeric("negative", "intNegative"),
  abs: floats("abs"),
  sign: floats("sign"),
  floor: floats("floor"),
  ceil: floats("ceil"),
  round: floats("round"),
  sqrt: floats("sqrt"),
  rsqrt: floats("rsqrt"),
  exp: floats("exp"),
  log: floats("log"),
  sigmoid: floats("sigmoid"),
  tanh: floats("tanh"),
  isFinite: floats("isFinite"),
  equal: { ...numeric("equal", "intEqual"), bool: direct("intEqual") },
  notEqual: { ...numeric("notEqual", "intNotEqual"), bool: direct("xor") },
  less: ordered("less", "intLess"),
  lessEqual: ordered("lessEqual", "intLessEqual"),
  greater: ordered("less", "intLess", swapped),
  greaterEqual: ordered("lessEqual", "intLessEqual", swapped),
  bitwiseAnd: words("and"),
  bitwiseOr: words("or"),
  bitwiseXor: words("xor"),
  bitwiseNot: { signed: direct("not"), unsigned: direct("not"), bool: direct("logicalNot") },
  logicalAnd: { bool: direct("and") },
  logicalOr: { bool: direct("or") },
  logicalXor: { bool: direct("xor") },
  logicalNot: { bool: direct("logicalNot") },
  shiftLeft: { signed: direct("shiftLeft"), unsigned: direct("shiftLeft") },
  shiftRightLogical: { signed: direct("shiftRightUnsigned"), unsigned: direct("shiftRightUnsigned") },
  shiftRightArithmetic: { signed: direct("shiftRight") },
  stopGradient: { float: same, signed: same, unsigned: same, bool: same },
});
let emitters: Readonly<Record<string, Table>> | null = null;

const casts: Readonly<Record<string, Emit>> = {
  "float signed": direct("intOfFloat"),
  "float bool": (chain, [a]) => chain.op("notEqual", a!, chain.float(0)),
  "signed float": direct("floatOfInt"),
  "signed bool": (chain, [a]) => chain.op("intNotEqual", a!, chain.bits(0)),
  "unsigned bool": (chain, [a]) => chain.op("intNotEqual", a!, chain.bits(0)),
  "signed unsigned": same,
  "unsigned signed": same,
  "bool float": direct("floatOfInt"),
  "bool signed": same,
  "bool unsigned": same,
};

/** How a chain does a primitive on operands of these dtypes; null when it cannot. */
export function emitterOf(primitive: string, inputs: readonly DType[], output: DType): Emit | null {
  const [first, second] = inputs.map((dtype) => kinds[dtype]);
  const target = kinds[output];
  if (!first || !target || !inputs.every(isChainable)) return null;
  if (primitive === "cast") return first === target ? same : (casts[`${first} ${target}`] ?? null);
  if (primitive === "bitcast") return first !== "bool" && target !== "bool" ? same : null;
  if (primitive === "select") return second ? direct("select") : null;
  emitters ??= table();
  return Object.hasOwn(emitters, primitive) ? (emitters[primitive]![first] ?? null) : null;
}
