import type { DType, TensorSpec } from "../../../core/dtype.js";
import { sizeOf } from "../../../core/ndarray.js";
import type { Program, ValueId } from "../../../core/program.js";
import { storedAs } from "../storage.js";
import { type Access, commonShape } from "./access.js";
import { readsOf } from "./groups.js";
import { isKnown, type Item } from "./item.js";
import { type ChainOp, type ChainValue, type ChainWriter, numberOf } from "./ops.js";

/** A chain as `keras::chain` takes it. */
export interface Chain {
  readonly inputs: readonly ValueId[];
  readonly outputs: readonly ValueId[];
  readonly code: readonly number[];
}

/** How a chain is run: compiled where that is possible, or op by op, which gives the same. */
export const ways = { opByOp: 0, compiled: 1 } as const;
const stores = { elements: 0, rowSums: 1, sum: 2 };
const wordOf = new DataView(new ArrayBuffer(4));
const bitsOfFloat = (value: number): number => (wordOf.setFloat32(0, value), wordOf.getInt32(0));
const bitsOf = (value: number, dtype: DType): number => (dtype === "float32" ? bitsOfFloat(value) : value | 0);

interface Step {
  readonly op: ChainOp;
  readonly result: Node;
  readonly operands: readonly Node[];
}
/** A value of the chain: an input or constant by its number, or the result of a step. */
type Node = { readonly input: number } | { readonly constant: number } | { readonly step: true };

class Writer implements ChainWriter {
  readonly nodes: Node[] = [];
  readonly steps: Step[] = [];
  readonly constants = new Map<number, ChainValue>();

  op(op: ChainOp, ...operands: readonly ChainValue[]): ChainValue {
    const result = { step: true } as const;
    this.steps.push({ op, result, operands: operands.map((i) => this.nodes[i]!) });
    return this.nodes.push(result) - 1;
  }
  input(input: number): ChainValue {
    return this.nodes.push({ input }) - 1;
  }
  bits(bits: number): ChainValue {
    const value = this.constants.get(bits) ?? this.nodes.push({ constant: this.constants.size }) - 1;
    this.constants.set(bits, value);
    return value;
  }
  float(value: number): ChainValue {
    return this.bits(bitsOfFloat(value));
  }
}

/** Writes items as a chain that leaves the values in `needed`. */
export function writeChain(program: Program, items: readonly Item[], needed: ReadonlySet<ValueId>): Chain {
  const specOf = (id: ValueId): TensorSpec => program.values[id]!;
  const { accesses, widths } = readsOf(items);
  const size = items[0]!.size;
  const { shape } = commonShape(size, accesses, widths)!;
  const writer = new Writer();
  const values = new Map<ValueId, ChainValue>();
  const reads = new Map<string, ChainValue>();
  const inputs: ValueId[] = [];
  const strides: (readonly number[])[] = [];

  const read = (root: ValueId, access: Access): ChainValue => {
    const inside = values.get(root);
    if (inside !== undefined) return inside;
    const key = JSON.stringify([root, access]);
    let value = reads.get(key);
    if (value === undefined) {
      strides.push(commonShape(size, [access], boundariesOf(shape))!.strides[0]!);
      value = writer.input(inputs.push(root) - 1);
      reads.set(key, value);
    }
    return value;
  };
  const results: { readonly id: ValueId; readonly store: number; readonly value: ChainValue }[] = [];
  for (const { instruction, output, operands, emit, width } of items) {
    const args = operands.map((operand, i) =>
      isKnown(operand)
        ? writer.bits(bitsOf(operand.known, specOf(instruction.inputs[i]!).dtype))
        : read(operand.root, operand.access),
    );
    if (emit) {
      const value = emit(writer, args);
      values.set(output, value);
      if (needed.has(output)) results.push({ id: output, store: stores.elements, value });
    } else if (needed.has(output)) {
      results.push({ id: output, store: width === 1 ? stores.sum : stores.rowSums, value: args[0]! });
    }
  }

  const code: number[] = [ways.compiled, shape.length, ...shape, inputs.length];
  inputs.forEach((id, i) => code.push(storedAs(specOf(id).dtype), ...strides[i]!));
  code.push(writer.constants.size, ...writer.constants.keys());
  const kept = new Set(results.map(({ value }) => writer.nodes[value]!));
  const { numbers, registers } = allocate(writer, kept, inputs.length);
  const number = (node: Node): number =>
    "input" in node ? node.input : "constant" in node ? inputs.length + node.constant : numbers.get(node)!;
  code.push(registers, writer.steps.length);
  // Registers are used again, so that what a step reads is looked up while its own result has its old place.
  for (const { op, result, operands } of writer.steps) {
    const [a = 0, b = 0, c = 0] = operands.map(number);
    code.push(numberOf(op), number(result), a, b, c);
  }
  code.push(results.length);
  for (const { id, store, value } of results) {
    const { shape: to, dtype } = specOf(id);
    code.push(store, number(writer.nodes[value]!), storedAs(dtype), to.length, ...to);
  }
  return { inputs, outputs: results.map(({ id }) => id), code };
}

const boundariesOf = (shape: readonly number[]): number[] => shape.map((_, i) => sizeOf(shape.slice(i)));

/** Gives each step's result a register; one whose value nobody reads any more is taken again. */
function allocate(
  { steps, constants }: Writer,
  kept: ReadonlySet<Node>,
  inputs: number,
): { readonly numbers: ReadonlyMap<Node, number>; readonly registers: number } {
  const lastRead = new Map<Node, number>();
  steps.forEach(({ operands }, i) => operands.forEach((node) => lastRead.set(node, i)));
  const first = inputs + constants.size;
  const numbers = new Map<Node, number>();
  const free: number[] = [];
  let registers = 0;
  steps.forEach(({ result, operands }, i) => {
    for (const node of new Set(operands))
      if ("step" in node && lastRead.get(node) === i && !kept.has(node)) free.push(numbers.get(node)!);
    numbers.set(result, free.pop() ?? first + registers++);
  });
  return { numbers, registers };
}
