import { deserializeKerasObject } from "../../../src/config/deserialize.js";
import { snakeToCamel } from "../../../src/utils/naming.js";
import type { GoldenCase } from "../cases.js";
import { compare } from "../compare.js";
import { asOperand, plain } from "../decode.js";
import { checkGradients } from "../gradients.js";
import { type DecodedCall, decodeCall, type Kind } from "./kind.js";

type Callable = (...args: unknown[]) => unknown;

/** Names of Python's parameters that the library takes by position. */
const positional: Readonly<Record<string, readonly string[]>> = {
  initializer: ["shape"],
  loss: ["y_true", "y_pred", "sample_weight"],
};

/** An object made from its saved config, with the seed it had drawn. */
export function objectOf(golden: GoldenCase): Callable {
  const config = golden["config"] as { config: Record<string, unknown> };
  const seeded = "seed" in golden ? { ...config, config: { ...config.config, seed: golden["seed"] } } : config;
  return deserializeKerasObject(seeded as never) as Callable;
}

function callOf(golden: GoldenCase): (given: DecodedCall) => unknown {
  const of = (golden["of"] as string | undefined) ?? golden.kind;
  const object = objectOf(golden);
  const first = positional[of] ?? [];
  return ({ args, kwargs }) => {
    const given: unknown[] = args.map(asOperand);
    const options: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(kwargs)) {
      const place = first.indexOf(name);
      if (place >= 0) given[place] = asOperand(value);
      else options[snakeToCamel(name)] = plain(value);
    }
    // Python passes an initializer's dtype by position too.
    if (of === "initializer" && given.length > 1) options["dtype"] = given.splice(1)[0];
    if (of === "initializer" && options["dtype"] == null) delete options["dtype"];
    return object(...given, ...(Object.keys(options).length > 0 ? [options] : []));
  };
}

/** Calls of initializers, regularizers, constraints, quantizers, losses and schedules. */
export const object: Kind = {
  async prepare(golden, arrays) {
    const call = callOf(golden);
    const given = await decodeCall(golden, arrays);
    return () => call(given);
  },
  async replay(golden, arrays) {
    const call = callOf(golden);
    const given = await decodeCall(golden, arrays);
    await compare(await call(given), golden.out, arrays, "out", { valuesToo: !golden.random });
    if (golden.grads) await checkGradients(given, call, golden.grads, arrays);
  },
};
