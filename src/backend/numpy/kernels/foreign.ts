import type { NDArray } from "../../../core/ndarray.js";
import { noForeignModules } from "../../../primitives/foreign.js";
import type { Kernels } from "../../backend.js";

/** An honest gap: modules of other libraries need those. */
const refuse = (): never => {
  throw new Error(noForeignModules("built-in"));
};
export const foreignKernels = { foreignCall: refuse, foreignGradient: refuse } satisfies Partial<Kernels<NDArray>>;
