import { toTensor } from "../core/convert.js";
import { anySymbolic } from "../core/symbolic.js";
import { isRecording } from "../core/tape.js";
import { Tensor, type TensorLike } from "../core/tensor.js";
import { Variable } from "../core/variable.js";
import { broadcastTo, full } from "../primitives/index.js";
import { flatten, type Nested, packSequenceAs } from "../tree/index.js";
import { takeApart } from "./trees.js";
import { withGradient } from "./with-gradient.js";

/** From the gradients of a function's result, in its structure, to the gradient of its argument or the list of those of its arguments. */
export type GradientFunction<R> = (upstream: R) => unknown;

const isValue = (x: unknown): x is Tensor | Variable => x instanceof Tensor || x instanceof Variable;

const zerosLike = (x: Tensor): Tensor => full(x.shape, 0, x.dtype);

/** What a gradient function returned, by input: it gives one gradient for each leaf of the arguments, or for each tensor among them. */
function gradientsOf(found: unknown, leaves: readonly unknown[], inputs: readonly Tensor[]): (Tensor | null)[] {
  const flat: unknown[] = flatten(found as Nested<unknown>);
  if (flat.length !== leaves.length && flat.length !== inputs.length)
    throw new TypeError(
      `customGradient: the gradient function must return a gradient for each of ${inputs.length} tensors among the arguments. Received: ${flat.length}.`,
    );
  const own = flat.length === inputs.length ? flat : flat.filter((_, i) => isValue(leaves[i]));
  return own.map((g, i) =>
    (g ?? null) === null ? null : broadcastTo(toTensor(g as TensorLike, inputs[i]!.dtype), inputs[i]!.shape),
  );
}

/**
 * A function with a gradient of its own. `f` returns its result and the gradient function, which may use what `f` computed.
 * Gradients are wanted for the tensors and variables among (nested) arguments; null means none.
 */
export function customGradient<A extends readonly unknown[], R>(
  f: (...args: A) => readonly [result: R, gradient: GradientFunction<R>],
): (...args: A) => R {
  return (...args) => {
    if (anySymbolic(args)) return f(...args)[0];
    const leaves = flatten(args);
    const inputs = leaves.filter(isValue).map((x) => toTensor(x));
    const call = (xs: readonly Tensor[]): readonly [R, GradientFunction<R>] => {
      let next = 0;
      return f(
        ...(packSequenceAs(
          args,
          leaves.map((x) => (isValue(x) ? xs[next++] : x)),
        ) as unknown as A),
      );
    };
    let first: { pack: (tensors: readonly Tensor[]) => unknown; gradient: GradientFunction<R> } | null = null;
    const body = (xs: readonly Tensor[]): readonly Tensor[] => {
      const [result, gradient] = call(xs);
      const { tensors, pack } = takeApart(result);
      first = { pack, gradient };
      return tensors;
    };
    const outputs = withGradient("customGradient", inputs, body, (gradients, { outputs: ys }) => {
      const upstream = first!.pack(gradients.map((g, i) => g ?? zerosLike(ys[i]!))) as R;
      // What the gradient uses of the first run is a constant; when it is differentiated itself it has to follow from the inputs.
      const rule = isRecording(inputs) ? call(inputs)[1] : first!.gradient;
      return gradientsOf(rule(upstream), leaves, inputs);
    });
    return first!.pack(outputs) as R;
  };
}
