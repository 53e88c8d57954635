import { floatx, onClearSession } from "../core/settings.js";
import { DTypePolicy } from "./dtype-policy.js";
import type { Policy } from "./policy.js";

let current: Policy | null = null;
onClearSession(() => {
  current = null;
});

/** The policy of layers that are given none; that of `floatx` at the first use. */
export const dtypePolicy = (): Policy => (current ??= new DTypePolicy(floatx()));
/** Replaces the global policy. */
export const replaceDtypePolicy = (policy: Policy): void => {
  current = policy;
};
