import { attributesAsText } from "../../../core/attributes-as-text.js";
import type { DType, TensorSpec } from "../../../core/dtype.js";
import { NDArray, sizeOf } from "../../../core/ndarray.js";
import { inlineComposites, type Instruction, type Program, type ValueId } from "../../../core/program.js";
import type { Kernels } from "../../backend.js";
import { isControl } from "../../control-flow.js";
import { isChainable } from "./elementwise.js";
import { kernelOf } from "../kernels/replay.js";
import { widen } from "./widen.js";

/** A Program in which values that are known have been computed. */
export interface Simplified {
  readonly values: readonly TensorSpec[];
  readonly inputs: readonly ValueId[];
  readonly instructions: readonly Instruction[];
  readonly outputs: readonly ValueId[];
  /** Values that are the same everywhere. */
  readonly splats: ReadonlyMap<ValueId, number>;
  readonly constants: ReadonlyMap<ValueId, NDArray>;
}

/** Instructions on constants are carried out while compiling up to this many elements. */
const largestFolded = 1 << 16;
const largestConstantRead = 1 << 12;

const elementwise = new Set(
  (
    "negative abs sign floor ceil round sqrt rsqrt exp expm1 log log1p sin cos tan asin acos atan sinh cosh tanh asinh " +
    "acosh atanh sigmoid erf isFinite logicalNot bitwiseNot add subtract multiply divide remainder power maximum minimum " +
    "bitwiseAnd bitwiseOr bitwiseXor shiftLeft shiftRightLogical shiftRightArithmetic equal notEqual less lessEqual greater " +
    "greaterEqual logicalAnd logicalOr logicalXor select cast"
  ).split(" "),
);
const moving = new Set(["broadcastTo", "reshape", "transpose", "reverse", "slice"]);
const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((d, i) => d === b[i]);

/** Inlines composites, computes what is known, merges equal instructions, and drops those that change or reach nothing. */
export function simplify(source: Program, kernels: Kernels<NDArray>): Simplified {
  const program = inlineComposites(source);
  const pass = new SimplifyPass(program, kernels);
  for (const instruction of program.instructions) pass.add(instruction);
  return pass.finish();
}

class SimplifyPass {
  private readonly values: TensorSpec[];
  private readonly instructions: Instruction[] = [];
  private readonly splats = new Map<ValueId, number>();
  private readonly constants = new Map<ValueId, NDArray>();
  private readonly renamed = new Map<ValueId, ValueId>();
  private readonly equalSplats = new Map<string, ValueId>();
  private readonly seen = new Map<string, readonly ValueId[]>();
  /** Constants that were computed here. */
  private readonly folded = new Set<ValueId>();

  constructor(
    private readonly program: Program,
    private readonly kernels: Kernels<NDArray>,
  ) {
    this.values = [...program.values];
    for (const { id, tensor } of program.constants) {
      const array = tensor.handle as NDArray;
      if (array.size === 1 && isChainable(array.dtype)) this.splats.set(id, array.numbers()[0]!);
      else this.constants.set(id, array);
    }
  }

  add(instruction: Instruction): void {
    for (const part of widen(instruction, this.values)) this.visit(part);
  }

  private visit(original: Instruction): void {
    const instruction = this.rewrite({ ...original, inputs: original.inputs.map((id) => this.resolve(id)) });
    if (instruction === null) return;
    if (this.fold(instruction)) return;
    if (!isControl(instruction.op)) {
      const key = `${instruction.op}|${instruction.inputs.join()}|${attributesAsText(instruction.attributes)}`;
      const known = this.seen.get(key);
      if (known) {
        instruction.outputs.forEach((id, i) => this.renamed.set(id, known[i]!));
        return;
      }
      this.seen.set(key, instruction.outputs);
    }
    this.instructions.push(instruction);
  }

  finish(): Simplified {
    const { values, splats, constants } = this;
    const outputs = this.program.outputs.map((id) => this.resolve(id));
    const used = new Set(outputs);
    const kept: Instruction[] = [];
    for (const instruction of this.instructions.reverse()) {
      if (!instruction.outputs.some((id) => used.has(id))) continue;
      kept.push(instruction);
      for (const id of instruction.inputs) used.add(id);
    }
    return { values, inputs: this.program.inputs, instructions: kept.reverse(), outputs, splats, constants };
  }

  private resolve(id: ValueId): ValueId {
    return this.renamed.get(id) ?? id;
  }

  /** Says that the instruction's result is the value `id`; broadcasts it where the shapes differ. */
  private alias(instruction: Instruction, id: ValueId): Instruction | null {
    const [out] = instruction.outputs;
    const { shape } = this.values[out!]!;
    if (sameShape(this.values[id]!.shape, shape)) {
      this.renamed.set(out!, id);
      return null;
    }
    return { op: "broadcastTo", inputs: [id], outputs: [out!], attributes: { shape } };
  }

  /** The instruction in a cheaper form, or null when its result is a value there is already. */
  private rewrite(instruction: Instruction): Instruction | null {
    const { op, inputs, outputs } = instruction;
    const [x, y] = inputs;
    const out = this.values[outputs[0]!];
    const [a, b] = [x === undefined ? undefined : this.splats.get(x), y === undefined ? undefined : this.splats.get(y)];
    switch (op) {
      case "stopGradient":
        return this.alias(instruction, x!);
      case "cast":
        return this.values[x!]!.dtype === out!.dtype ? this.alias(instruction, x!) : instruction;
      case "reshape":
      case "broadcastTo":
        return sameShape(this.values[x!]!.shape, out!.shape) ? this.alias(instruction, x!) : instruction;
      case "add":
        if (b === 0) return this.alias(instruction, x!);
        return a === 0 ? this.alias(instruction, y!) : instruction;
      case "subtract":
        return b === 0 ? this.alias(instruction, x!) : instruction;
      case "multiply":
        if (b === 1) return this.alias(instruction, x!);
        return a === 1 ? this.alias(instruction, y!) : instruction;
      case "divide":
        if (b === 1) return this.alias(instruction, x!);
        return b !== undefined && out!.dtype === "float32" && isPowerOfTwo(b)
          ? this.timesInverse(instruction, b)
          : instruction;
      case "power":
        if (b === 1) return this.alias(instruction, x!);
        return b === 2 && sameShape(this.values[x!]!.shape, out!.shape)
          ? { op: "multiply", inputs: [x!, x!], outputs, attributes: {} }
          : instruction;
      case "select":
        return a === undefined ? instruction : this.alias(instruction, a ? y! : inputs[2]!);
      default:
        return instruction;
    }
  }

  /** Says that all elements of a value are one number; equal ones become one value. */
  private splat(id: ValueId, value: number): void {
    const { shape, dtype } = this.values[id]!;
    const key = `${dtype} ${shape.join()} ${Object.is(value, -0) ? "-0" : value}`;
    const known = this.equalSplats.get(key);
    if (known !== undefined) return void this.renamed.set(id, known);
    this.equalSplats.set(key, id);
    this.splats.set(id, value);
  }

  private timesInverse({ inputs, outputs }: Instruction, divisor: number): Instruction {
    const factor = this.values.push(this.values[inputs[1]!]!) - 1;
    this.splat(factor, 1 / divisor);
    return { op: "multiply", inputs: [inputs[0]!, this.resolve(factor)], outputs, attributes: {} };
  }

  /** Computes the instruction now, if everything it reads is known and the result is small enough. */
  private fold({ op, inputs, outputs, attributes }: Instruction): boolean {
    const spec = this.values[outputs[0]!]!;
    if (op === "full" && isChainable(spec.dtype)) {
      this.splat(outputs[0]!, this.stored((attributes as { value: number }).value, spec.dtype));
      return true;
    }
    const known = inputs.map((id) => this.splats.get(id));
    const allSplat = inputs.length > 0 && known.every((v) => v !== undefined);
    if (allSplat && moving.has(op)) {
      this.splat(outputs[0]!, known[0]!);
      return true;
    }
    if (allSplat && elementwise.has(op) && isChainable(spec.dtype)) {
      const operands = known.map((v, i) => NDArray.from([v!], this.values[inputs[i]!]!.dtype));
      const [result] = kernelOf(this.kernels, op)(operands, attributes, [{ shape: [1], dtype: spec.dtype }]);
      this.splat(outputs[0]!, result!.numbers()[0]!);
      return true;
    }
    if (allSplat && op === "sum" && spec.dtype === "float32") {
      const count = sizeOf(this.values[inputs[0]!]!.shape) / Math.max(1, sizeOf(spec.shape));
      this.splat(outputs[0]!, Math.fround(known[0]! * count));
      return true;
    }
    if (isControl(op) || op === "randomBits" || op === "threefry") return false;
    const small = (id: ValueId, limit: number): boolean => sizeOf(this.values[id]!.shape) <= limit;
    const available = inputs.every(
      (id) =>
        this.splats.has(id) ||
        (this.constants.has(id) && small(id, this.folded.has(id) ? largestFolded : largestConstantRead)),
    );
    if (!available || allSplat || !outputs.every((id) => small(id, largestFolded))) return false;
    if (inputs.length === 0 && op !== "iota") return false;
    const operands = inputs.map((id) => this.constantArray(id));
    const results = kernelOf(this.kernels, op)(
      operands,
      attributes,
      outputs.map((id) => this.values[id]!),
    );
    outputs.forEach((id, i) => {
      this.constants.set(id, results[i]!);
      this.folded.add(id);
    });
    return true;
  }

  private constantArray(id: ValueId): NDArray {
    const constant = this.constants.get(id);
    if (constant) return constant;
    const { shape, dtype } = this.values[id]!;
    const { data } = NDArray.from([this.splats.get(id)!], dtype);
    return new NDArray(
      data,
      shape,
      dtype,
      shape.map(() => 0),
    );
  }

  /** A number as an element of `dtype` holds it. */
  private stored(value: number, dtype: DType): number {
    return NDArray.from([value], dtype).numbers()[0]!;
  }
}

function isPowerOfTwo(x: number): boolean {
  const exponent = Math.log2(Math.abs(x));
  return Number.isInteger(exponent) && Math.abs(exponent) < 120;
}
