import { deserializeKerasObject } from "../../../src/config/deserialize.js";
import { nameScope } from "../../../src/core/scopes.js";
import { fromHost, Tensor, TensorScope } from "../../../src/core/tensor.js";
import { Variable } from "../../../src/core/variable.js";
import type { Optimizer } from "../../../src/optimizers/index.js";
import type { Arrays } from "../cases.js";
import { compareArrays, Mismatch } from "../compare.js";
import { decode, decodeArray } from "../decode.js";
import type { Kind } from "./kind.js";

interface Recorded {
  readonly name: string;
  readonly path: string;
  readonly dtype: string;
  readonly trainable: boolean;
  readonly no_weight_decay?: boolean;
  readonly overwrite_with_gradient?: boolean;
  readonly constraint?: unknown;
  readonly [key: string]: unknown;
}

async function variableOf(recorded: Recorded, arrays: Arrays): Promise<Variable> {
  const scopes = recorded.path
    .split("/")
    .slice(0, -1)
    .map((part) => nameScope(part, { caller: {} }));
  const value = await decodeArray(recorded, arrays);
  const variable = new Variable(value, { dtype: value.dtype, trainable: recorded.trainable, name: recorded.name });
  for (const scope of scopes.reverse()) scope[Symbol.dispose]();
  variable.overwriteWithGradient = recorded.overwrite_with_gradient ?? false;
  if (recorded.constraint) variable.constraint = (await decode(recorded.constraint, arrays)) as (x: Tensor) => Tensor;
  return variable;
}

/** One step of an optimizer from recorded weights, state and gradients. */
export const optimizer: Kind = {
  async replay(golden, arrays) {
    const made = deserializeKerasObject(golden["config"] as never) as Optimizer;
    const recorded = golden["vars"] as Recorded[];
    const variables: Variable[] = [];
    for (const one of recorded) variables.push(await variableOf(one, arrays));
    const spared = variables.filter((_, i) => recorded[i]!.no_weight_decay);
    if (spared.length > 0) made.excludeFromWeightDecay({ varList: spared });
    made.build(variables);
    const slots = golden["slots"] as Recorded[];
    // The numbers of automatic names depend on what else was made.
    const names = (list: readonly { readonly name: string }[]): string =>
      list.map(({ name }) => name.replace(/^variable_\d+$/, "variable")).join(", ");
    if (names(made.variables) !== names(slots))
      throw new Mismatch(`state ${names(made.variables)}, expected ${names(slots)}`);
    made.loadOwnVariables(await Promise.all(slots.map((slot) => decodeArray(slot, arrays))));
    {
      const gradients = await decode(golden["grads_in"], arrays);
      using _ = new TensorScope();
      made.apply(
        (gradients as unknown[]).map((g) => (g === null || g instanceof Tensor ? g : fromHost(g as never))),
        variables,
      );
    }
    const after = golden["after"] as { vars: Recorded[]; slots: Recorded[] };
    for (const [list, expected] of [
      [variables, after.vars],
      [made.variables, after.slots],
    ] as const)
      for (const [i, variable] of list.entries())
        compareArrays(await variable.numpy(), await decodeArray(expected[i]!, arrays), `${variable.path} afterwards`);
  },
};
