import { NDArray, sizeOf, type TypedArray } from "../../../core/ndarray.js";
import { dtypeBytes } from "../../../core/dtype.js";
import type { Kernels } from "../../backend.js";
import { HeapArray } from "../heap-array.js";
import type { Kernels as WasmKernels } from "../wasm/index.js";
import { prepareChain } from "./chain-unit.js";
import { fuse } from "./fuse.js";
import { type Elementwise, isSplat, type NestedPlan, type Run, type Splat } from "./graph.js";
import { wordsOfHeap } from "./heap-views.js";
import { type Lowerings, lowerProgram } from "./lower.js";
import { Lowering } from "./lowering.js";
import { planMemory } from "./memory-plan.js";
import { simplify, type Simplified } from "./simplify.js";
import { isWhole, type Root } from "./view.js";

/** What a result of the program is. */
export type Result =
  | { readonly kind: "splat"; readonly splat: Splat }
  | { readonly kind: "input"; readonly index: number }
  | { readonly kind: "constant"; readonly array: NDArray; readonly root: Root }
  /** Memory from outside that the program writes; `slot` counts the distinct ones. */
  | { readonly kind: "written"; readonly slot: number };

/** A program bound to the heap: chains and constants are uploaded, temporaries have places. Addresses come with each run. */
export class Plan implements NestedPlan {
  readonly arenaBytes: number;
  readonly results: readonly Result[];
  /** The distinct pieces of memory that a run fills. */
  readonly written: readonly Root[];
  private readonly runs: readonly Run[];
  private readonly inputs: readonly Root[];
  private readonly temporaries: readonly { readonly id: number; readonly offset: number }[];
  private readonly addresses: { readonly of: Float64Array };
  private readonly owned: HeapArray[] = [];
  private readonly code: number[] = [];
  private readonly children: Plan[] = [];
  private readonly owners: readonly number[];
  private readonly resultBytes: readonly number[];
  private readonly outputs: Float64Array;
  private readonly bytes: () => Uint8Array;
  private base = -1;

  constructor(
    program: Simplified,
    kernels: Kernels<NDArray>,
    private readonly wasm: WasmKernels,
    lowerings: Lowerings = {},
  ) {
    const lowering = new Lowering(program, kernels, wasm, (body) => {
      const plan = new Plan(simplify(body, kernels), kernels, wasm, lowerings);
      this.children.push(plan);
      return plan;
    });
    lowerProgram(lowering, lowerings);
    const { results, written } = collectResults(program, lowering);
    this.results = results;
    this.written = written;
    this.inputs = lowering.inputs;

    this.bytes = lowering.bytes;
    this.outputs = new Float64Array(written.length);
    this.owners = written.map((_, slot) => results.findIndex((r) => r.kind === "written" && r.slot === slot));
    this.resultBytes = program.outputs.map(
      (id) => sizeOf(program.values[id]!.shape) * dtypeBytes(program.values[id]!.dtype),
    );

    const units = fuse(lowering.items);
    const { offsets, bytes, stored } = planMemory(units, new Set(written), lowering.rootCount);
    this.arenaBytes = bytes;
    const of = new Float64Array(lowering.rootCount);
    this.addresses = { of };
    this.temporaries = Array.from(offsets, (offset, id) => ({ id, offset })).filter(({ offset }) => offset >= 0);
    for (const { root, array } of lowering.constants) of[root.id] = this.upload(array).ptr;
    const words = wordsOfHeap(wasm);
    this.runs = units.map(({ items }) => {
      const [first] = items;
      if (first!.kind === "step") return first!.prepare(this.addresses);
      const { run, code } = prepareChain(items as Elementwise[], stored, wasm, words, this.addresses);
      if (code !== null) this.code.push(code);
      return run;
    });
  }

  /** Runs with temporaries at `base` on the given addresses of inputs and of results to fill. */
  execute(base: number, inputs: ArrayLike<number>, outputs: ArrayLike<number>): void {
    const { of } = this.addresses;
    if (base !== this.base) {
      this.base = base;
      for (const { id, offset } of this.temporaries) of[id] = base + offset;
    }
    for (let i = 0; i < this.inputs.length; i++) of[this.inputs[i]!.id] = inputs[i]!;
    for (let i = 0; i < this.written.length; i++) of[this.written[i]!.id] = outputs[i]!;
    for (const run of this.runs) run();
  }

  /** Runs with temporaries at `base`, and writes every result to an address of its own. */
  executeInto(base: number, inputs: readonly number[], results: readonly number[]): void {
    const { outputs, owners } = this;
    for (let slot = 0; slot < owners.length; slot++) outputs[slot] = results[owners[slot]!]!;
    this.execute(base, inputs, outputs);
    this.results.forEach((result, i) => {
      const to = results[i]!;
      if (result.kind === "splat") this.fill(result.splat, to, i);
      else if (result.kind === "written") this.move(outputs[result.slot]!, to, i);
      else this.move(result.kind === "input" ? inputs[result.index]! : this.addresses.of[result.root.id]!, to, i);
    });
  }
  private move(from: number, to: number, result: number): void {
    if (from !== to) this.bytes().copyWithin(to, from, from + this.resultBytes[result]!);
  }
  private fill({ splat, dtype, shape }: Splat, to: number, result: number): void {
    const { data } = NDArray.from([splat], dtype);
    const size = sizeOf(shape);
    if (this.resultBytes[result]! > 0) (this.wasm.heap.view(to, dtype, size) as Float32Array).fill(data[0] as number);
  }

  /** Frees code and constants. */
  dispose(): void {
    for (const plan of this.children) plan.dispose();
    for (const ptr of this.code) this.wasm.heap.free(ptr);
    for (const array of this.owned) array.release();
    this.code.length = this.owned.length = 0;
  }

  private upload(array: NDArray): HeapArray {
    const copy =
      array instanceof HeapArray && array.heap === this.wasm.heap ? array.retain() : toHeap(this.wasm, array);
    this.owned.push(copy);
    return copy;
  }
}

/** A copy of an array in the heap. */
export function toHeap({ heap }: WasmKernels, array: NDArray): HeapArray {
  const copy = HeapArray.allocate(heap, array.shape, array.dtype);
  setElements(copy.view(), array.contiguous().data);
  return copy;
}
/** Copies all elements of one typed array into another of the same kind. */
export const setElements = (to: TypedArray, from: TypedArray): void => (to as Float32Array).set(from as Float32Array);

/** Sorts the program's outputs by where they come from; what is not a whole piece of memory is copied into one. */
function collectResults(program: Simplified, lowering: Lowering): { results: Result[]; written: Root[] } {
  const written: Root[] = [];
  const results = program.outputs.map((id): Result => {
    const operand = lowering.operand(id);
    if (isSplat(operand)) return { kind: "splat", splat: operand };
    const whole = isWhole(operand) && operand.dtype === operand.root.dtype;
    if (whole && operand.root.kind === "input") return { kind: "input", index: lowering.inputs.indexOf(operand.root) };
    if (whole && operand.root.kind === "constant") {
      const { array } = lowering.constants.find(({ root }) => root === operand.root)!;
      return { kind: "constant", array, root: operand.root };
    }
    let { root } = operand;
    if (!whole) {
      root = lowering.root(
        operand.dtype,
        operand.shape.reduce((n, d) => n * d, 1),
      );
      lowering.copy(operand, root);
    }
    const known = written.indexOf(root);
    return { kind: "written", slot: known < 0 ? written.push(root) - 1 : known };
  });
  return { results, written };
}
