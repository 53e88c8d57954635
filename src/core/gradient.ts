import { add, full } from "../primitives/index.js";
import { isDifferentiable } from "./dtype.js";
import { Tape, withTape } from "./tape.js";
import { Tensor } from "./tensor.js";
import type { Variable } from "./variable.js";

/**
 * Reverse-mode differentiation over a tape: gradients of `sum(outputs · seeds)` with respect to `wrt`.
 * Null stands for an input that the outputs do not depend on. Throws when the path leads through an op without a gradient.
 */
export function backward(
  tape: Tape,
  outputs: readonly Tensor[],
  seeds: readonly Tensor[],
  wrt: readonly Tensor[],
): (Tensor | null)[] {
  const gradients = new Map<Tensor, Tensor>();
  const accumulate = (x: Tensor, gradient: Tensor): void => {
    const sum = gradients.get(x);
    gradients.set(x, sum ? add(sum, gradient) : gradient);
  };
  outputs.forEach((y, i) => {
    if (tape.isTracked(y)) accumulate(y, seeds[i]!);
  });
  const wanted = new Set(wrt);
  for (let i = tape.entries.length - 1; i >= 0; i--) {
    const entry = tape.entries[i]!;
    const incoming = entry.outputs.map((y) => gradients.get(y) ?? null);
    if (incoming.every((g) => g === null)) continue;
    if (!entry.gradient)
      throw new Error(
        `No gradient is defined for "${entry.name}". Wrap its input in ops.stopGradient, or keep it out of the loss.`,
      );
    const needed = entry.inputs.map((x) => tape.isTracked(x) && isDifferentiable(x.dtype));
    const outgoing = entry.gradient(incoming, {
      inputs: entry.inputs,
      outputs: entry.outputs,
      attributes: entry.attributes,
      needed,
    });
    for (const y of entry.outputs) if (!wanted.has(y)) gradients.delete(y);
    outgoing.forEach((gradient, j) => {
      if (gradient && needed[j]) accumulate(entry.inputs[j]!, gradient);
    });
  }
  return wrt.map((x) => gradients.get(x) ?? null);
}

/**
 * Runs `fn` and returns its value with the gradients of that scalar with respect to tensors or variables; zeros where it does not depend
 * on them. When `fn` returns a list, its first element is differentiated and the others come along.
 * @example
 * const { value: loss, gradients } = valueAndGradients(() => lossFn(y, model(x)), model.trainableVariables);
 * optimizer.apply(gradients, model.trainableVariables);
 */
export function valueAndGradients<T extends Tensor | readonly [Tensor, ...unknown[]]>(
  fn: () => T,
  wrt: readonly (Tensor | Variable)[],
): { value: T; gradients: Tensor[] } {
  const tape = new Tape();
  const sources = wrt.map((x) => (x instanceof Tensor ? x : x.value));
  for (const x of sources) tape.watch(x);
  const value = withTape(tape, fn);
  const scalar = (Array.isArray(value) ? value[0] : value) as Tensor;
  if (scalar.shape.length > 0)
    throw new RangeError(
      `Only a scalar can be differentiated. Received shape [${scalar.shape}]: reduce it first, for example with ops.sum.`,
    );
  const gradients = backward(tape, [scalar], [full([], 1, scalar.dtype)], sources);
  return { value, gradients: gradients.map((g, i) => g ?? full(sources[i]!.shape, 0, sources[i]!.dtype)) };
}

/** Gradients of `sum(fn() · seeds)` with respect to `wrt`; null where the output does not depend on an input. */
export function vectorJacobianProduct(
  fn: () => readonly Tensor[],
  wrt: readonly Tensor[],
  seeds: (outputs: readonly Tensor[]) => readonly Tensor[],
): { outputs: readonly Tensor[]; gradients: (Tensor | null)[] } {
  const tape = new Tape();
  for (const x of wrt) tape.watch(x);
  const outputs = withTape(tape, fn);
  return { outputs, gradients: backward(tape, outputs, seeds(outputs), wrt) };
}
