import type { Instruction, Program, ValueId } from "../core/program.js";

/** Instructions that run one after another: first those that the engine's library does, then the others. */
export interface Round {
  readonly native: Instruction[];
  readonly other: Instruction[];
}

/** Sorts instructions into rounds, so that there are few parts and those of the library are large. */
export function rounds(program: Program, isNative: (instruction: Instruction) => boolean): Round[] {
  const parts: Round[] = [];
  const made = new Map<ValueId, { readonly round: number; readonly native: boolean }>();
  for (const instruction of program.instructions) {
    const native = isNative(instruction);
    let round = 0;
    for (const id of instruction.inputs) {
      const producer = made.get(id);
      if (producer) round = Math.max(round, producer.round + (native && !producer.native ? 1 : 0));
    }
    while (parts.length <= round) parts.push({ native: [], other: [] });
    parts[round]![native ? "native" : "other"].push(instruction);
    for (const id of instruction.outputs) made.set(id, { round, native });
  }
  return parts;
}
