import { showValue } from "../../utils/show-value.js";

/** How much a loop prints: 0 nothing, 1 a progress bar, 2 a line an epoch; "auto" is 1. */
export type Verbose = 0 | 1 | 2 | boolean | "auto";

/** The number that `verbose` stands for; throws a TypeError for other values. */
export function readVerbose(verbose: Verbose | undefined): 0 | 1 | 2 {
  if (verbose === undefined || verbose === "auto" || verbose === true) return 1;
  if (verbose === false) return 0;
  if (verbose === 0 || verbose === 1 || verbose === 2) return verbose;
  throw new TypeError(`\`verbose\` must be 0, 1, 2 or "auto". Received: ${showValue(verbose as unknown)}.`);
}
