import { type DType, dtypeBytes, type Shape, type TensorSpec } from "../../../core/dtype.js";
import { NDArray, sizeOf } from "../../../core/ndarray.js";
import type { Instruction, Program, ValueId } from "../../../core/program.js";
import type { Kernels } from "../../backend.js";
import type { Kernels as WasmKernels } from "../wasm/index.js";
import { emitterOf } from "./elementwise.js";
import type { ConstantRoot, Item, NestedPlan, Operand, Splat, Step } from "./graph.js";
import { isSplat } from "./graph.js";
import type { Simplified } from "./simplify.js";
import { bytesOfHeap } from "./heap-views.js";
import { broadcastView, isContiguous, merged, type Root, type View, wholeOf } from "./view.js";

/** Most axes that do not merge which a chain or a copy can walk over. */
export const maxAxes = 6;
/** Operands that a chain would gather one by one are brought into order first from this size on. */
const largeGather = 1 << 11;

/** Turns instructions into items over memory roots: the state of one compilation. */
export class Lowering {
  readonly items: Item[] = [];
  readonly constants: ConstantRoot[] = [];
  readonly inputs: readonly Root[];
  /** Instructions that became part of an earlier item. */
  readonly absorbed = new Set<Instruction>();
  /** The heap as bytes. */
  readonly bytes: () => Uint8Array;
  private readonly operands = new Map<ValueId, Operand>();
  private readonly users = new Map<ValueId, Instruction[]>();
  private readonly copies = new Map<string, View>();
  private readonly scalars = new Map<string, View>();
  private roots = 0;

  constructor(
    readonly program: Simplified,
    readonly kernels: Kernels<NDArray>,
    readonly wasm: WasmKernels,
    /** Compiles a program held by an instruction, for the same heap. */
    readonly nested: (program: Program) => NestedPlan,
  ) {
    this.bytes = bytesOfHeap(wasm);
    this.inputs = program.inputs.map((id) => {
      const { shape, dtype } = program.values[id]!;
      const root = this.root(dtype, sizeOf(shape), "input");
      this.operands.set(id, wholeOf(root, shape));
      return root;
    });
    for (const [id, splat] of program.splats) {
      const { shape, dtype } = program.values[id]!;
      this.operands.set(id, { splat, dtype, shape } satisfies Splat);
    }
    for (const instruction of program.instructions)
      for (const id of new Set(instruction.inputs)) {
        const list = this.users.get(id);
        if (list) list.push(instruction);
        else this.users.set(id, [instruction]);
      }
  }

  get rootCount(): number {
    return this.roots;
  }
  root(dtype: DType, size: number, kind: Root["kind"] = "temporary"): Root {
    return { id: this.roots++, kind, dtype, size };
  }
  spec(id: ValueId): TensorSpec {
    return this.program.values[id]!;
  }
  define(id: ValueId, operand: Operand): void {
    this.operands.set(id, operand);
  }
  /** Whether the value has been lowered already. */
  isDefined(id: ValueId): boolean {
    return this.operands.has(id) || this.program.constants.has(id);
  }
  operand(id: ValueId): Operand {
    const known = this.operands.get(id);
    if (known) return known;
    const array = this.program.constants.get(id);
    if (!array) throw new Error(`Value ${id} of the program is read before it is computed.`);
    const view = this.constant(array);
    this.operands.set(id, view);
    return view;
  }
  /** The value in memory; a splat becomes one element that repeats. */
  view(id: ValueId): View {
    return this.inMemory(this.operand(id));
  }
  inMemory(operand: Operand): View {
    if (!isSplat(operand)) return operand;
    const { splat, dtype, shape } = operand;
    const key = `${dtype} ${Object.is(splat, -0) ? "-0" : splat}`;
    let scalar = this.scalars.get(key);
    if (!scalar) {
      scalar = this.constant(NDArray.from([splat], dtype).reshape([]));
      this.scalars.set(key, scalar);
    }
    return broadcastView(scalar, shape);
  }
  /** A constant, which goes into the heap once. */
  constant(array: NDArray): View {
    const root = this.root(array.dtype, array.size, "constant");
    this.constants.push({ root, array });
    return wholeOf(root, array.shape);
  }

  /** The only instruction that reads the value, when there is one and the program does not return it. */
  soleUser(id: ValueId): Instruction | null {
    const users = this.users.get(id);
    return users?.length === 1 && !this.program.outputs.includes(id) ? users[0]! : null;
  }

  /** The elements of `view` in row-major order: itself, or a copy. */
  contiguous(view: View): View {
    if (isContiguous(view)) return view;
    const { shape, strides, offset, dtype } = view;
    const key = `${view.root.id} ${dtype} ${offset} ${shape.join()} ${strides.join()}`;
    const known = this.copies.get(key);
    if (known) return known;
    const root = this.root(view.dtype, sizeOf(view.shape));
    const copy = wholeOf(root, view.shape);
    this.copy(view, root);
    this.copies.set(key, copy);
    return copy;
  }
  /** Copies a view's elements to a root of its size. */
  copy(view: View, root: Root): void {
    const { wasm } = this;
    const axes = merged(view).sizes.length;
    if (axes > maxAxes) return this.hostCopy(view, root);
    const { strides } = wholeOf(root, view.shape);
    const bytes = dtypeBytes(root.dtype) as 1 | 2 | 4 | 8;
    this.step({
      name: "copy",
      reads: [view],
      writes: [root],
      prepare:
        ({ of }) =>
        () => {
          const from = of[view.root.id]! + bytes * view.offset;
          wasm.copyStrided(bytes, view.shape, from, view.strides, of[root.id]!, strides);
        },
    });
  }

  /** Adds an elementwise op that writes `output`; false when chains cannot do it. */
  elementwise(name: string, operands: readonly Operand[], output: Root, shape: Shape): boolean {
    const last = operands.at(-1)!;
    const count = isSplat(last) ? last.splat : undefined;
    const emit = emitterOf(
      name,
      operands.map(({ dtype }) => dtype),
      output.dtype,
      count,
    );
    if (!emit) return false;
    const read = operands.map((x) => (isSplat(x) ? x : this.readable(x, shape)));
    this.items.push({ kind: "elementwise", name, shape, operands: read, output, emit });
    return true;
  }

  /** The view at `shape`, from a copy where a chain could not read it in runs of adjacent or equal elements. */
  private readable(view: View, shape: Shape): View {
    const read = broadcastView(view, shape);
    const { sizes, steps } = merged(read);
    const last = steps.at(-1) ?? 0;
    const scattered = last !== 0 && last !== 1 && sizeOf(shape) >= largeGather;
    if (!scattered && sizes.length <= maxAxes) return read;
    const ordered = broadcastView(this.contiguous(view), shape);
    return merged(ordered).sizes.length <= maxAxes ? ordered : this.contiguous(ordered);
  }

  /** Adds a step; its writes become the values `outputs`. */
  step(step: Omit<Step, "kind">, outputs: readonly ValueId[] = []): void {
    this.items.push({ kind: "step", ...step });
    outputs.forEach((id, i) => this.define(id, wholeOf(step.writes[i]!, this.spec(id).shape)));
  }
  /** Copies bytes inside the heap. */
  move(from: number, to: number, bytes: number): void {
    if (from !== to) this.bytes().copyWithin(to, from, from + bytes);
  }
  /** Roots for the results of an instruction. */
  results(outputs: readonly ValueId[]): Root[] {
    return outputs.map((id) => this.root(this.spec(id).dtype, sizeOf(this.spec(id).shape)));
  }

  /** Runs the engine's own kernel on views of the heap and copies what it gives into place. */
  fallback({ op, inputs, outputs, attributes }: Instruction, kernel: Kernels<NDArray>[keyof Kernels<NDArray>]): void {
    const reads = inputs.map((id) => this.view(id));
    const writes = this.results(outputs);
    const specs = outputs.map((id) => this.spec(id));
    const { heap } = this.wasm;
    const run = kernel as (x: readonly NDArray[], attributes: object, outputs: readonly TensorSpec[]) => NDArray[];
    this.step(
      {
        name: op,
        reads,
        writes,
        prepare:
          ({ of }) =>
          () => {
            // A kernel may make the memory grow, which takes views of it away unless it is shared.
            const { shared } = this.wasm.instance;
            const operands = reads.map((view) => arrayAt(this.wasm, of, view)).map((x) => (shared ? x : x.copy()));
            run(operands, attributes, specs).forEach((result, i) => {
              const { id, dtype, size } = writes[i]!;
              const target = heap.view(of[id]!, dtype, size) as Float32Array;
              target.set(result.contiguous().data as Float32Array);
            });
          },
      },
      outputs,
    );
  }

  private hostCopy(view: View, root: Root): void {
    const { heap } = this.wasm;
    this.step({
      name: "copy",
      reads: [view],
      writes: [root],
      prepare:
        ({ of }) =>
        () => {
          const target = heap.view(of[root.id]!, root.dtype, root.size) as Float32Array;
          target.set(arrayAt(this.wasm, of, view).copy().data as Float32Array);
        },
    });
  }
}

/** The elements of a view, in the heap. */
function arrayAt({ heap }: WasmKernels, of: Float64Array, view: View): NDArray {
  const data = heap.view(of[view.root.id]!, view.dtype, view.root.size);
  return new NDArray(data, view.shape, view.dtype, view.strides, view.offset);
}
