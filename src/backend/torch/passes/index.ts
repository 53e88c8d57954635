import { eliminateDeadCode, type Program } from "../../../core/program.js";
import type { Tensor } from "../../../core/tensor.js";
import type { Value } from "../value.js";
import { foldConstants } from "./fold-constants.js";
import { fuse } from "./fuse.js";
import { inlineForeign } from "./inline-foreign.js";
import { mergeEqual } from "../../merge-equal.js";
import { prepareBodies } from "./prepare-bodies.js";

/** Rewrites a Program into one that computes the same. */
export type Pass = (program: Program) => Program;

/** What happens to a Program before it is written down in ATen ops, in this order. */
const passes: readonly Pass[] = [
  inlineForeign,
  mergeEqual,
  foldConstants,
  eliminateDeadCode,
  prepareBodies((body) => prepare(body)),
  fuse,
  eliminateDeadCode,
];

/**
 * The Program as it will be written down. Constants that it has beyond those of `source` are its owner's to free; those that were made on
 * the way and are not needed in the end are freed here.
 */
export function prepare(source: Program): Program {
  const made = new Set<Tensor>();
  const program = passes.reduce((before, pass) => {
    const after = pass(before);
    for (const { tensor } of after.constants) made.add(tensor);
    return after;
  }, source);
  for (const { tensor } of [...source.constants, ...program.constants]) made.delete(tensor);
  for (const { handle } of made) (handle as Value).release();
  return program;
}
