import { type Addon, tags } from "../../src/backend/torch/addon.js";
import { findAddon, loadAddon } from "../../src/backend/torch/native.node.js";
import { run } from "./child.js";

let loaded: Addon | undefined;

/** The addon, loaded in this process; for tests that require "libtorch". */
export const torchAddon = (): Addon => (loaded ??= loadAddon());

/** A float32 tensor. */
export function tensor(values: readonly number[], shape: readonly number[] = [values.length]): number {
  return torchAddon().fromHost(Float32Array.from(values), shape, 6, "cpu");
}

/** Values of a float32 tensor. */
export const valuesOf = (slot: number): number[] => [...new Float32Array(torchAddon().toHost(slot))];

/** One instruction of a program whose arguments are registers. */
export function instruction(
  name: string,
  overload: string,
  inputs: readonly number[],
  outputs: readonly number[],
): number[] {
  const op = torchAddon().opId(name, overload);
  const registers = inputs.flatMap((register) => [tags.tensor, register]);
  return [op, inputs.length, ...registers, outputs.length, ...outputs];
}

/** Compiles instructions; registers are counted up to the largest that `outputs` or they name. */
export function compile(
  code: readonly number[],
  inputs: readonly number[],
  outputs: readonly number[],
  registers: number,
): number {
  return torchAddon().compile(
    Float64Array.from(code),
    Int32Array.from(inputs),
    Int32Array.from(outputs),
    [],
    registers,
  );
}

/** Runs JavaScript in a process of its own, with the addon as `addon`, and returns what it printed. */
export function runWithAddon(code: string, timeout = 60_000): Promise<string> {
  const setup = `const file = ${JSON.stringify(findAddon())}; const addon = require(file);`;
  return run(process.execPath, ["-e", `${setup}\n${code}`], { timeout });
}
