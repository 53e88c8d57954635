import { findOp } from "../../../src/core/op.js";
import * as ops from "../../../src/ops/index.js";
import type { Arrays, GoldenCase } from "../cases.js";
import { compare, Mismatch } from "../compare.js";
import { decode } from "../decode.js";
import { checkGradients } from "../gradients.js";
import { checkLeaks } from "../leaks.js";
import { bindArguments, opTargetOf } from "../python-call.js";
import { type DecodedCall, decodeCall, type Kind } from "./kind.js";

/** The call an op object stands for: its settings are arguments of the public function. */
export function opObject(target: string, settings: Readonly<Record<string, unknown>>): (given: DecodedCall) => unknown {
  const [, area, className] = /^keras\.src\.ops\.(\w+):(\w+)$/.exec(target) ?? [];
  const op = findOp(`${area}.${className}`);
  if (!op) throw new Mismatch(`there is no op ${target}`);
  const all = { ...ops, ...Object.fromEntries(Object.entries(ops.image).map(([key, f]) => [`image.${key}`, f])) };
  const name = Object.entries(all).find(([, candidate]) => (candidate as unknown) === op)?.[0];
  const publicName = opTargetOf(name ?? "", className!, area === "image" ? "image." : "");
  if (!publicName) throw new Mismatch(`${target} has no public function`);
  return ({ args, kwargs }) => op(...(bindArguments(publicName, args, { ...settings, ...kwargs }) as never[]));
}

async function callOf(golden: GoldenCase, arrays: Arrays): Promise<(given: DecodedCall) => unknown> {
  return opObject(golden.target, (await decode(golden["init"] ?? { $dict: [] }, arrays)) as Record<string, unknown>);
}

/** Calls of op objects, as the nodes of saved graphs are. */
export const opClass: Kind = {
  async prepare(golden, arrays) {
    const call = await callOf(golden, arrays);
    const given = await decodeCall(golden, arrays);
    return () => call(given);
  },
  async replay(golden, arrays) {
    const call = await callOf(golden, arrays);
    const given = await decodeCall(golden, arrays);
    await compare(await call(given), golden.out, arrays, "out", { valuesToo: !golden.random });
    checkLeaks(() => call(given));
    if (golden.grads) await checkGradients(given, call, golden.grads, arrays);
  },
};
