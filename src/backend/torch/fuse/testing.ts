import type { Program } from "../../../core/program.js";
import { type Chain, writeChain } from "./chain-code.js";
import { unitsOf } from "./groups.js";
import { Items } from "./item.js";

/** The chains that a Program's instructions become, with the Program's outputs among their results. */
export function chainsOf(program: Program): Chain[] {
  const full = program.instructions.filter(({ op }) => op === "full");
  const value = ({ attributes }: (typeof full)[number]): number => (attributes as { readonly value: number }).value;
  const items = new Items(program, new Map(full.map((each) => [each.outputs[0]!, value(each)])));
  return unitsOf(program.instructions, items)
    .flatMap((unit) => ("items" in unit && unit.items.some(({ emit }) => emit) ? [unit.items] : []))
    .map((items) => {
      const inside = new Set(items.map(({ instruction }) => instruction));
      const outside = program.instructions.filter((instruction) => !inside.has(instruction));
      const needed = new Set([...program.outputs, ...outside.flatMap(({ inputs }) => inputs)]);
      return writeChain(program, items, needed);
    });
}
