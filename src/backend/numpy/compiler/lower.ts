import { sizeOf } from "../../../core/ndarray.js";
import type { Instruction } from "../../../core/program.js";
import { kernelOf } from "../kernels/replay.js";
import { lowerControl } from "./lower-control.js";
import { lowerCopy } from "./lower-copy.js";
import { lowerDot } from "./lower-dot.js";
import { lowerIndexing } from "./lower-indexing.js";
import { lowerCreate, lowerMovement } from "./lower-movement.js";
import { lowerReduce } from "./lower-reduce.js";
import { lowerSort } from "./lower-sort.js";
import { lowerWindow } from "./lower-window.js";
import type { Lowering } from "./lowering.js";
import { wholeOf } from "./view.js";

/** Lowers one instruction; false when it has no form of its own for these operands. */
export type Lower = (lowering: Lowering, instruction: Instruction) => boolean;

/** Ways to lower instructions, by their names. */
export type Lowerings = Readonly<Record<string, Lower>>;

const lowerings: Lowerings = {
  ...lowerMovement,
  ...lowerCreate,
  ...lowerControl,
  ...lowerCopy,
  ...lowerIndexing,
  ...lowerReduce,
  ...lowerSort,
  ...lowerWindow,
  dot: lowerDot,
};

/** Lowers every instruction of the program: by the first of `preferred` and the own forms that takes it, to a part of a chain, or to the engine's kernel on views. */
export function lowerProgram(lowering: Lowering, preferred: Lowerings = {}): void {
  for (const instruction of lowering.program.instructions) {
    if (lowering.absorbed.has(instruction)) continue;
    if (preferred[instruction.op]?.(lowering, instruction)) continue;
    if (lowerings[instruction.op]?.(lowering, instruction)) continue;
    if (lowerElementwise(lowering, instruction)) continue;
    lowering.fallback(instruction, kernelOf(lowering.kernels, instruction.op) as never);
  }
}

function lowerElementwise(lowering: Lowering, { op, inputs, outputs }: Instruction): boolean {
  if (outputs.length !== 1 || inputs.length === 0) return false;
  const { shape, dtype } = lowering.spec(outputs[0]!);
  const root = lowering.root(dtype, sizeOf(shape));
  const operands = inputs.map((id) => lowering.operand(id));
  if (!lowering.elementwise(op, operands, root, shape)) return false;
  lowering.define(outputs[0]!, wholeOf(root, shape));
  return true;
}
