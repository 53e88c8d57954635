import type { DType, Shape } from "../../../core/dtype.js";
import { sizeOf } from "../../../core/ndarray.js";
import type { Instruction, Program, ValueId } from "../../../core/program.js";
import { type Access, accessOf, broadcastStrides, contiguousStrides, reshapedStrides } from "./access.js";
import { type Emit, emitterOf, isChainable } from "./ops.js";

/** Elements read from a value, at the shape of what reads them. */
export interface Read {
  readonly root: ValueId;
  readonly access: Access;
}
/** The same number everywhere. */
export interface Known {
  readonly known: number;
}
export type Operand = Read | Known;
export const isKnown = (operand: Operand): operand is Known => "known" in operand;

/** An instruction that can be part of a chain: elementwise, or a sum at the end of one. */
export interface Item {
  readonly instruction: Instruction;
  readonly output: ValueId;
  /** How many elements it walks over. */
  readonly size: number;
  readonly operands: readonly Operand[];
  /** Null for sums. */
  readonly emit: Emit | null;
  /** For sums: how many elements a row has that are left; 1 for the sum of everything. */
  readonly width: number;
}

interface View {
  readonly root: ValueId;
  readonly shape: Shape;
  readonly strides: readonly number[];
}

/** What the instructions of a Program are to chains. */
export class Items {
  /** Values that are others under another shape. */
  readonly #views = new Map<ValueId, View>();

  /** `known` are the values that are one number everywhere. */
  constructor(
    private readonly program: Program,
    private readonly known: ReadonlyMap<ValueId, number>,
  ) {}

  /** The instruction as an item; "view" when it only shows a value under another shape; null when chains cannot hold it. */
  of(instruction: Instruction): Item | "view" | null {
    const { op, inputs, outputs, attributes } = instruction;
    const [output] = outputs;
    const spec = this.program.values[output!]!;
    if (outputs.length !== 1 || !isChainable(spec.dtype)) return null;
    if (op === "reshape" || op === "broadcastTo") return this.#view(instruction) ? "view" : null;
    if (op === "sum") return this.#sum(instruction, (attributes as { readonly axes: readonly number[] }).axes);
    const size = sizeOf(spec.shape);
    const emit = size === 0 ? null : this.#emitter(instruction, spec.dtype);
    if (!emit) return null;
    const operands = inputs.map((id) => this.#operand(id, spec.shape));
    return { instruction, output: output!, size, operands, emit, width: 0 };
  }

  #emitter({ op, inputs }: Instruction, output: DType): Emit | null {
    const dtypes = inputs.map((id) => this.program.values[id]!.dtype);
    if (op === "power" && output === "float32" && this.known.get(inputs[1]!) === 2)
      return (chain, [x]) => chain.op("multiply", x!, x!);
    return emitterOf(op, dtypes, output);
  }

  #sum(instruction: Instruction, axes: readonly number[]): Item | null {
    const [input] = instruction.inputs;
    const { shape, dtype } = this.program.values[input!]!;
    const size = sizeOf(shape);
    if (dtype !== "float32" || size === 0) return null;
    const summed = shape.map((d, i) => d === 1 || axes.includes(i));
    const first = summed.findIndex((is, i) => !is && shape[i] !== 1);
    const lead = first < 0 ? shape.length : first;
    if (shape.some((d, i) => i >= lead && d !== 1 && axes.includes(i))) return null;
    const width = sizeOf(shape.slice(lead));
    // Where nothing is summed there is nothing to do here.
    if (width === size) return null;
    const operands = [this.#operand(input!, shape)];
    return { instruction, output: instruction.outputs[0]!, size, operands, emit: null, width };
  }

  #view({ inputs, outputs }: Instruction): boolean {
    const { root, shape, strides } = this.#viewOf(inputs[0]!);
    const to = this.program.values[outputs[0]!]!.shape;
    const isReshape = sizeOf(shape) === sizeOf(to);
    const there = isReshape ? reshapedStrides(shape, strides, to) : broadcastStrides(shape, strides, to);
    if (!there || sizeOf(to) === 0) return false;
    this.#views.set(outputs[0]!, { root, shape: to, strides: there });
    return true;
  }
  #viewOf(id: ValueId): View {
    const { shape } = this.program.values[id]!;
    return this.#views.get(id) ?? { root: id, shape, strides: contiguousStrides(shape) };
  }

  #operand(id: ValueId, at: Shape): Operand {
    const { root, shape, strides } = this.#viewOf(id);
    const known = this.known.get(id) ?? this.known.get(root);
    if (known !== undefined) return { known };
    return { root, access: accessOf(at, broadcastStrides(shape, strides, at)) };
  }
}
