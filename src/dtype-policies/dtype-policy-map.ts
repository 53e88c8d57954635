import { configure } from "../config/configure.js";
import type { Config } from "../config/field.js";
import { any } from "../config/fields.js";
import { registerBuiltins } from "../config/registry.js";
import { serializeValue } from "../config/serialize.js";
import { type PolicyIdentifier, get } from "./get.js";
import { Policy, type PolicyDTypes } from "./policy.js";

const fields = {
  defaultPolicy: any<PolicyIdentifier | null>(null),
  policyMap: any<Readonly<Record<string, PolicyIdentifier>> | null>(null),
};

/** Policies by the paths of layers; a key is a path or a regular expression for whole paths. */
export class DTypePolicyMap extends configure(Policy, "DTypePolicyMap", fields) {
  readonly #map = new Map<string, Policy>();

  constructor(
    options: {
      defaultPolicy?: PolicyIdentifier | null;
      policyMap?: Readonly<Record<string, PolicyIdentifier>> | null;
    } = {},
  ) {
    super(options);
    if (this.defaultPolicy instanceof DTypePolicyMap)
      throw new TypeError("`DTypePolicyMap.defaultPolicy` cannot be a DTypePolicyMap itself.");
    for (const [key, policy] of Object.entries(this.policyMap ?? {})) this.#map.set(key, get(policy));
  }
  /** The policy of layers no key matches. */
  get fallback(): Policy {
    return get(this.defaultPolicy);
  }
  override get name(): string {
    return `map_${this.fallback.name}`;
  }
  protected override get dtypes(): PolicyDTypes {
    return { compute: this.fallback.computeDtype, variable: this.fallback.variableDtype };
  }
  override get quantizationMode(): string | null {
    return this.fallback.quantizationMode;
  }
  /** How many keys there are. */
  get size(): number {
    return this.#map.size;
  }
  keys(): string[] {
    return [...this.#map.keys()];
  }
  /** Adds a policy for a path that has none yet. */
  set(path: string, policy: PolicyIdentifier): this {
    if (this.#map.has(path))
      throw new Error(`The DTypePolicyMap already has a policy for "${path}": ${this.#map.get(path)!.name}.`);
    this.#map.set(path, get(policy));
    return this;
  }
  delete(path: string): boolean {
    return this.#map.delete(path);
  }
  /** The policy for `path`: that of the equal key, else of the one key that matches, else the default. Throws when several keys match. */
  override at(path: string): Policy {
    const exact = this.#map.get(path);
    if (exact) return exact;
    const matches = [...this.#map.keys()].filter((pattern) => new RegExp(`^(?:${pattern})$`).test(path));
    if (matches.length > 1)
      throw new Error(`The path "${path}" matches several keys of the DTypePolicyMap: ${matches.join(", ")}.`);
    return matches.length === 1 ? this.#map.get(matches[0]!)! : this.fallback;
  }
  override getConfig(): Config {
    const policies = [...this.#map].map(([path, policy]) => [path, serializeValue(policy)] as const);
    return { default_policy: serializeValue(this.defaultPolicy), policy_map: Object.fromEntries(policies) };
  }
}

registerBuiltins("keras.dtype_policies", { DTypePolicyMap });
