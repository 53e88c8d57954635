import { compare, Mismatch } from "../compare.js";
import { checkGradients } from "../gradients.js";
import { checkLeaks } from "../leaks.js";
import { checkModes } from "../modes.js";
import { bindArguments } from "../python-call.js";
import { findTarget } from "../targets.js";
import { type DecodedCall, decodeCall, type Kind } from "./kind.js";

function functionOf(target: string): (given: DecodedCall) => unknown {
  const fn = findTarget(target);
  if (!fn) throw new Mismatch(`${target} does not exist`);
  return ({ args, kwargs }) => fn(...bindArguments(target, args, kwargs));
}

/** Calls of public functions. */
export const call: Kind = {
  async prepare(golden, arrays) {
    const fn = functionOf(golden.target);
    const given = await decodeCall(golden, arrays);
    return () => fn(given);
  },
  async replay(golden, arrays) {
    const fn = functionOf(golden.target);
    const given = await decodeCall(golden, arrays);
    const result = await fn(given);
    await compare(result, golden.out, arrays, "out", { valuesToo: !golden.random });
    checkLeaks(() => fn(given));
    if (golden.grads) await checkGradients(given, fn, golden.grads, arrays);
  },
};

/** Calls of ops: compiled and symbolic results must be those of the eager call. */
export const op: Kind = {
  ...call,
  async replay(golden, arrays) {
    await call.replay(golden, arrays);
    if (!golden.random) await checkModes(golden.target, await decodeCall(golden, arrays), functionOf(golden.target));
  },
};
