import { configure } from "../config/configure.js";
import { string } from "../config/fields.js";
import { registerBuiltins } from "../config/registry.js";
import { floatx } from "../core/settings.js";
import { Policy, type PolicyDTypes, parsePolicyName } from "./policy.js";

const fields = { name: string() };

/** A policy by its name: a dtype for everything, or "mixed_float16" / "mixed_bfloat16" to compute in 16 bits on float32 variables. */
export class DTypePolicy extends configure(Policy, "DTypePolicy", fields) {
  static override readonly module: string = "keras";
  protected readonly dtypes: PolicyDTypes;

  constructor(name: string = floatx()) {
    super({ name });
    this.dtypes = parsePolicyName(name);
  }
}

/** The name that older files use for `DTypePolicy`. */
export class FloatDTypePolicy extends DTypePolicy {
  static override readonly className: string = "FloatDTypePolicy";
}

registerBuiltins("keras", { DTypePolicy, FloatDTypePolicy });
registerBuiltins("keras.dtype_policies", { DTypePolicy, FloatDTypePolicy });
registerBuiltins("keras.mixed_precision", { DTypePolicy, Policy: DTypePolicy });
