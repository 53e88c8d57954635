import { derived, optional, any } from "../config/fields.js";
import { get, type PolicyIdentifier } from "./get.js";
import type { Policy } from "./policy.js";

/** A constructor argument that is a dtype or a dtype policy; the global policy when it is null or left out. */
export const dtypePolicy = () => derived(optional(any<PolicyIdentifier>()), (value): Policy => get(value));
