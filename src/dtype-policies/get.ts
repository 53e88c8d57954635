import { deserializeKerasObject } from "../config/deserialize.js";
import { type PartialEnvelope, isEnvelope } from "../config/envelope.js";
import type { Json } from "../config/field.js";
import { serializeValue } from "../config/serialize.js";
import { showValue } from "../utils/show-value.js";
import { DTypePolicy } from "./dtype-policy.js";
import { dtypePolicy, replaceDtypePolicy } from "./global-policy.js";
import { Policy } from "./policy.js";
import { quantizedPolicy } from "./quantized-dtype-policy.js";

/** What names a dtype policy: itself, its name, or its saved config. */
export type PolicyIdentifier = Policy | string | PartialEnvelope;

/** The policy an identifier stands for, the global one for null; throws a TypeError when there is none. */
export function get(identifier: PolicyIdentifier | null | undefined): Policy {
  if (identifier === null || identifier === undefined) return dtypePolicy();
  if (identifier instanceof Policy) return identifier;
  if (typeof identifier === "string") return quantizedPolicy(identifier) ?? new DTypePolicy(identifier);
  const policy = isEnvelope(identifier) ? deserializeKerasObject(identifier) : null;
  if (policy instanceof Policy) return policy;
  throw new TypeError(
    `A dtype must be a dtype name, a dtype policy, or its config. Received: ${showValue(identifier)}.`,
  );
}
/** The JSON Python Keras saves for a policy. */
export const serialize = (policy: Policy): Json => serializeValue(policy);
/** The policy of a saved config. */
export const deserialize = (config: PartialEnvelope): Policy => get(config);

/** Sets the policy of layers that are given none: "mixed_bfloat16", for example. */
export const setDtypePolicy = (policy: Policy | string): void => replaceDtypePolicy(get(policy));
