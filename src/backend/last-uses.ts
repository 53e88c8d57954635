import type { ValueId } from "../core/program.js";

/** For each step of a program the values, read or written by it, that nothing reads after it; `outputs` are read in the end. */
export function lastUses(
  outputs: readonly ValueId[],
  steps: readonly { readonly reads: readonly ValueId[]; readonly writes: readonly ValueId[] }[],
): ValueId[][] {
  const seen = new Set(outputs);
  const dying: ValueId[][] = steps.map(() => []);
  for (let i = steps.length - 1; i >= 0; i--) {
    for (const id of [...steps[i]!.reads, ...steps[i]!.writes]) {
      if (seen.has(id)) continue;
      seen.add(id);
      dying[i]!.push(id);
    }
  }
  return dying;
}
