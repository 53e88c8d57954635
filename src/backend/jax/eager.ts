import { attributesAsText } from "../../core/attributes-as-text.js";
import type { TensorSpec } from "../../core/dtype.js";
import { builtIn } from "../built-in.js";
import { builtInRunner } from "../run-built-in.js";
import { type Compiled, compileFunction } from "./library.js";
import { loweringOf } from "./native/index.js";
import { Value } from "./value.js";

/** Functions of single ops that are kept compiled. */
const READY = 2048;
const ready = new Map<string, Compiled>();

const specsAsText = (specs: readonly TensorSpec[]): string =>
  specs.map(({ shape, dtype }) => `${dtype}[${shape.join()}]`).join();

function keep(key: string, compiled: Compiled): Compiled {
  if (ready.size >= READY) {
    const [oldest, forgotten] = ready.entries().next().value!;
    ready.delete(oldest);
    forgotten.dispose();
  }
  ready.set(key, compiled);
  return compiled;
}

/** Runs an op without Programs in it: compiled by jax-js where it can, else on the built-in engine. */
export function runOp(
  op: string,
  inputs: readonly Value[],
  attributes: object,
  outputs: readonly TensorSpec[],
): Value[] {
  const lowering = loweringOf(op, inputs, attributes, outputs);
  if (!lowering) return runBuiltIn(op, inputs, attributes, outputs);
  const key = `${op} ${specsAsText(inputs)} ${attributesAsText(attributes)}`;
  const compiled =
    ready.get(key) ??
    keep(
      key,
      compileFunction((...arrays) => lowering.lower(arrays, attributes, outputs)),
    );
  return compiled(...inputs.map((x) => x.jax.ref)).map((array, i) => Value.ofJax(array, outputs[i]!));
}

/** Runs an op on the built-in engine. */
export const runBuiltIn = builtInRunner(builtIn, Value.ofArray);
