import * as activations from "../activations/index.js";
import { isClass } from "../config/callable.js";
import { builtinByPath, type Registrable, registerBuiltins } from "../config/registry.js";
import * as constraints from "../constraints/index.js";
import * as policies from "../dtype-policies/index.js";
import { initializers } from "../initializers/lookup.js";
import * as layers from "../layers/index.js";
import * as losses from "../losses/index.js";
import * as metrics from "../metrics/index.js";
import * as models from "../models/index.js";
import * as optimizers from "../optimizers/index.js";
import * as regularizers from "../regularizers/index.js";
import * as ops from "../ops/index.js";

/** The public classes by the module that saved files name. */
const classes: readonly (readonly [module: string, exports: object])[] = [
  ["keras.layers", layers],
  ["keras.losses", losses],
  ["keras.metrics", metrics],
  ["keras.optimizers", optimizers],
  ["keras.models", models],
  ["keras.dtype_policies", policies],
];
/** Functions, and classes of these kinds, become known when their lookups are made. */
const lookups = [
  activations.activations,
  constraints.constraints,
  initializers,
  losses.losses,
  metrics.metrics,
  optimizers.optimizers,
  regularizers.regularizers,
];
let known = false;

/**
 * Makes everything of Keras that a file may name known to saving and loading. Only programs that save or load pay for it: others drop
 * what they do not use when they are bundled.
 */
export function makeBuiltinsKnown(): void {
  if (known) return;
  known = true;
  for (const [module, exports] of classes)
    for (const [name, value] of Object.entries(exports))
      if (isClass(value) && !builtinByPath(`${module}.${name}`))
        registerBuiltins(module, { [name]: value as Registrable });
  // Reading them keeps bundlers from dropping the definitions, which register the ops and objects they make.
  keep([...lookups, ...Object.values(ops)]);
}

function keep(values: readonly unknown[]): void {
  if (values.includes(undefined)) throw new Error("A part of Keras that files may name has not been loaded.");
}
