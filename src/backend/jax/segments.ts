import { sizeOf } from "../../core/ndarray.js";
import type { Instruction, Program, ValueId } from "../../core/program.js";

/**
 * Bytes that one compiled function may write. jax-js takes the memory of a whole call before it computes anything, so that large functions
 * would fill its heap of four GiB.
 */
export const SEGMENT = 1 << 28;

/** Ops that are done anew for each reader: jax-js would write to memory what several read. */
export const renewed: ReadonlySet<string> = new Set(["full", "reshape", "broadcastTo"]);

/** About how many bytes an instruction makes jax-js write, copies of windows included. */
function bytesOf(program: Program, { op, inputs, outputs, attributes }: Instruction): number {
  if (renewed.has(op)) return 0;
  const elements = (ids: readonly ValueId[]): number =>
    ids.reduce((sum, id) => sum + sizeOf(program.values[id]!.shape), 0);
  const { window } = attributes as { readonly window?: readonly number[] };
  const taps = op === "convolutionKernelGradient" ? sizeOf(window!) : 2;
  const reads = op.startsWith("convolution") ? taps * elements(inputs.slice(0, 1)) : 0;
  return 4 * (reads + 2 * elements(outputs));
}

/** Cuts instructions into runs that write at most `limit` bytes each, or are one instruction; what is done anew for each reader is in the run of each. */
export function segmentsOf(program: Program, instructions: readonly Instruction[], limit: number): Instruction[][] {
  const runs: Instruction[][] = [[]];
  let bytes = 0;
  for (const instruction of instructions) {
    const more = bytesOf(program, instruction);
    if (bytes > 0 && bytes + more > limit) {
      runs.push([]);
      bytes = 0;
    }
    runs[runs.length - 1]!.push(instruction);
    bytes += more;
  }
  if (runs.length === 1) return runs;
  const cheap = new Map<ValueId, Instruction>();
  for (const instruction of instructions)
    if (renewed.has(instruction.op)) cheap.set(instruction.outputs[0]!, instruction);
  return runs.map((run) => {
    const here = new Set<Instruction>();
    const add = (instruction: Instruction): void => {
      for (const id of instruction.inputs) {
        const producer = cheap.get(id);
        if (producer && !here.has(producer)) add(producer);
      }
      here.add(instruction);
    };
    run.forEach(add);
    return [...here];
  });
}
