import { eliminateDeadCode, type Program } from "../../../core/program.js";
import { foldConstants } from "./fold-constants.js";
import { fuse } from "./fuse.js";
import { inlineForeign } from "./inline-foreign.js";
import { mergeEqual } from "./merge-equal.js";

/** Rewrites a Program into one that computes the same. */
export type Pass = (program: Program) => Program;

/** What happens to a Program before it is written down in ATen ops, in this order. */
const passes: readonly Pass[] = [inlineForeign, mergeEqual, foldConstants, eliminateDeadCode, fuse, eliminateDeadCode];

/** The Program as it will be written down. Constants that it has beyond those of `source` are its owner's to free. */
export const prepare = (source: Program): Program => passes.reduce((program, pass) => pass(program), source);
