import { jit } from "../../src/core/jit.js";
import { KerasTensor } from "../../src/core/keras-tensor.js";
import { computeOutputSpec } from "../../src/core/symbolic.js";
import { Tensor, TensorScope } from "../../src/core/tensor.js";
import { flatten, packSequenceAs } from "../../src/tree/index.js";
import { compareArrays, Mismatch } from "./compare.js";
import { asOperand } from "./decode.js";
import type { DecodedCall } from "./kinds/kind.js";

/** Ops whose result shapes depend on the values of tensors they may be given, or that answer questions about tensors. */
const eagerOnly: ReadonlySet<string> = new Set(
  [
    "arange",
    "argwhere",
    "bartlett",
    "bincount",
    "blackman",
    "convert_to_numpy",
    "convert_to_tensor",
    "ctc_decode",
    "hamming",
    "hanning",
    "histogram",
    "is_tensor",
    "kaiser",
    "linspace",
    "ndim",
    "nonzero",
    "repeat",
    "size",
    "unique",
  ].map((name) => `keras.ops.${name}`),
);
/** Results that are not tensors say nothing about modes. */
const tensorsIn = (value: unknown): Tensor[] =>
  flatten<unknown>(value as never).filter((x): x is Tensor => x instanceof Tensor);

/** Repeats a call compiled and symbolically: shapes, dtypes and values must be those of the eager call. */
export async function checkModes(
  target: string,
  { args: given, kwargs }: DecodedCall,
  call: (given: DecodedCall) => unknown,
): Promise<void> {
  // Scalars among plain numbers are sizes.
  const args = given.map(asOperand);
  if (eagerOnly.has(target) || (target === "keras.ops.where" && args.length === 1)) return;
  const structure = [args, kwargs];
  const flat = flatten<unknown>(structure);
  const places = flat.flatMap((x, i) => (x instanceof Tensor ? [i] : []));
  if (places.length === 0) return;
  const inputs = places.map((i) => flat[i] as Tensor);
  const withInputs = (xs: readonly unknown[]): unknown => {
    const leaves = [...flat];
    places.forEach((place, i) => (leaves[place] = xs[i]));
    const [a, k] = packSequenceAs(structure, leaves) as unknown as [unknown[], Record<string, unknown>];
    return call({ args: a, kwargs: k });
  };
  using _ = new TensorScope();
  const eager = tensorsIn(withInputs(inputs));
  checkSpec(inputs, withInputs, eager);
  await checkCompiled(inputs, withInputs, eager);
}

async function checkCompiled(
  inputs: readonly Tensor[],
  fn: (xs: readonly unknown[]) => unknown,
  eager: readonly Tensor[],
): Promise<void> {
  const compiled = jit((xs: readonly Tensor[]) => fn(xs));
  try {
    const results = tensorsIn(prefixed("compiled", () => compiled(inputs)));
    if (results.length !== eager.length)
      throw new Mismatch(`compiled: ${results.length} results, eager ${eager.length}`);
    for (const [i, result] of results.entries())
      compareArrays(await result.data(), await eager[i]!.data(), `compiled: result ${i}`);
  } finally {
    compiled.dispose();
  }
}

function checkSpec(inputs: readonly Tensor[], fn: (xs: readonly unknown[]) => unknown, eager: readonly Tensor[]): void {
  const symbolic = inputs.map(({ shape, dtype }) => new KerasTensor(shape, dtype));
  const spec = prefixed("spec", () => computeOutputSpec((...xs: unknown[]) => fn(xs), symbolic));
  const results = flatten<unknown>(spec as never).filter((x): x is KerasTensor => x instanceof KerasTensor);
  if (results.length !== eager.length) throw new Mismatch(`spec: ${results.length} results, eager ${eager.length}`);
  for (const [i, { shape, dtype }] of results.entries()) {
    const actual = eager[i]!;
    if (dtype !== actual.dtype) throw new Mismatch(`spec: result ${i} is ${dtype}, eager ${actual.dtype}`);
    if (shape.length !== actual.shape.length || shape.some((dim, k) => dim !== actual.shape[k]))
      throw new Mismatch(
        `spec: result ${i} has shape [${shape.map(String).join(", ")}], eager [${actual.shape.join(", ")}]`,
      );
  }
}

function prefixed<T>(mode: string, fn: () => T): T {
  try {
    return fn();
  } catch (error) {
    throw new Mismatch(`${mode}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
