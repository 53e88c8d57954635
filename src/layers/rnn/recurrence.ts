import { isDifferentiable } from "../../core/dtype.js";
import { vectorJacobianProduct } from "../../core/gradient.js";
import { isRecording } from "../../core/tape.js";
import type { Tensor } from "../../core/tensor.js";
import { traceClosure } from "../../core/trace.js";
import { scan } from "../../ops/loops.js";
import { type GradientParts, withGradient } from "../../ops/with-gradient.js";
import * as P from "../../primitives/index.js";
import { choose } from "./loop.js";

type Tensors = readonly Tensor[];

/** A recurrence whose inputs are projected already. */
export interface RecurrenceOptions {
  /** Elementwise: the next states from a step's input, the state's product and the states. The first state is what is multiplied. */
  readonly advance: (projected: Tensor, recurrent: Tensor, states: Tensors) => Tensors;
  /** [steps, batch, ...]. */
  readonly inputs: Tensor;
  /** The state is multiplied by it: [units, width]. */
  readonly kernel: Tensor;
  /** Added to the state's product: [width]. */
  readonly bias: Tensor | null;
  readonly states: Tensors;
  /** Which steps count, bool [steps, batch, 1]; null when all do. */
  readonly mask: Tensor | null;
  readonly goBackwards: boolean;
  readonly zeroOutputForMask: boolean;
  /** Whether the outputs of all steps are wanted. */
  readonly returnSequences: boolean;
}
export interface RecurrenceResult {
  readonly states: Tensors;
  /** [steps, batch, units], in the order of the inputs; null when they are not wanted. */
  readonly outputs: Tensor | null;
}

/**
 * Runs a recurrence, one product and elementwise work a step. In its gradient, what is no part of the recurrence is made in one go for
 * all steps: the gates' inputs once more, and the gradients of the weights.
 */
export function recurrence(options: RecurrenceOptions): RecurrenceResult {
  const { inputs, kernel, bias, states, mask, goBackwards, returnSequences } = options;
  const all = [inputs, kernel, ...states, ...(bias ? [bias] : []), ...(mask ? [mask] : [])];
  const keepCarries = isRecording(all);
  const count = states.length;
  const results = returnSequences ? 1 : 0;
  const step = (carry: Tensors, [x, valid]: Tensors): Tensors => {
    const { next, output } = after(options, x!, product(carry[0]!, kernel, bias), carry, valid ?? null);
    return returnSequences ? [...next, output] : next;
  };
  const outputs = withGradient(
    "recurrence",
    all,
    () => {
      const sequences = mask ? [inputs, mask] : [inputs];
      const slices = sequences.map(({ shape, dtype }) => ({ shape: shape.slice(1), dtype }));
      const { program, captured } = traceClosure(
        (xs) => step(xs.slice(0, count), xs.slice(count)),
        [...states, ...slices],
      );
      return P.scan([...states, ...sequences, ...captured], {
        body: program,
        carries: count,
        sequences: sequences.length,
        length: inputs.shape[0]!,
        reverse: goBackwards,
        keepCarries,
      });
    },
    (gradients, parts) => gradientOf(options, gradients, parts),
  );
  return { states: outputs.slice(0, count), outputs: results > 0 ? outputs[count]! : null };
}

/** state · kernel + bias, for one step or all. */
function product(state: Tensor, kernel: Tensor, bias: Tensor | null): Tensor {
  const y = P.dot(state, kernel, { contract: [[state.ndim - 1], [0]], batch: [[], []] });
  return bias ? P.add(y, P.broadcastTo(bias, y.shape)) : y;
}

/** A step from its products: elementwise. */
function after(
  { advance, zeroOutputForMask }: RecurrenceOptions,
  x: Tensor,
  recurrent: Tensor,
  states: Tensors,
  valid: Tensor | null,
): { readonly next: Tensors; readonly output: Tensor } {
  const next = advance(x, recurrent, states);
  if (!valid) return { next, output: next[0]! };
  const kept = next.map((state, i) => choose(valid, state, states[i]!));
  const output = zeroOutputForMask ? choose(valid, next[0]!, P.full([], 0, next[0]!.dtype)) : kept[0]!;
  return { next: kept, output };
}

function gradientOf(
  options: RecurrenceOptions,
  gradients: readonly (Tensor | null)[],
  { inputs: all, outputs: found }: GradientParts,
): readonly (Tensor | null)[] {
  const count = options.states.length;
  const results = options.returnSequences ? 1 : 0;
  const [inputs, kernel] = all as [Tensor, Tensor];
  const bias = options.bias && all[2 + count]!;
  const { mask } = options;
  const finals = found.slice(0, count);
  const starts = found.slice(count + results);
  const recurrent = product(starts[0]!, kernel, bias);

  const flowing = finals.map((state, i) => gradients[i] ?? P.full(state.shape, 0, state.dtype));
  const outputGradient = (results > 0 && gradients[count]) || null;
  // The states that steps began with are results too: gradients of this gradient ask for them.
  const startGradients = starts.map((_, i) => gradients[count + results + i] ?? null);
  const optional = [mask, outputGradient, ...startGradients];
  const given = optional.filter((x): x is Tensor => x !== null);
  const sequences = [inputs, recurrent, ...starts, ...given];
  let merged = false;
  const { carry, results: stacks } = scan(
    (incoming, slices) => {
      const [x, u] = slices as [Tensor, Tensor];
      const before = slices.slice(2, 2 + count);
      let next = 2 + count;
      const [valid, dy, ...ds] = optional.map((sequence) => (sequence ? slices[next++]! : null));
      const { gradients: local } = vectorJacobianProduct(
        () => {
          const { next: states, output } = after(options, x, u, before, valid ?? null);
          return dy ? [...states, output] : states;
        },
        [x, u, ...before],
        () => (dy ? [...incoming, dy] : incoming),
      );
      const orZeros = (g: Tensor | null | undefined, like: Tensor): Tensor => g ?? P.full(like.shape, 0, like.dtype);
      const dx = orZeros(local[0], x);
      const du = orZeros(local[1], u);
      // A sum of both products hands its gradient to both.
      merged = dx === du;
      const own = before.map((state, i) => {
        const parts = [local[2 + i], ds[i]].filter((g): g is Tensor => (g ?? null) !== null);
        if (i === 0) parts.push(P.dot(du, kernel, { contract: [[1], [1]], batch: [[], []] }));
        return parts.length > 0 ? parts.reduce((a, b) => P.add(a, b)) : orZeros(null, state);
      });
      return { carry: own, results: merged ? [dx] : [dx, du] };
    },
    flowing,
    sequences,
    { length: inputs.shape[0]!, reverse: !options.goBackwards },
  );
  const [dx, du = dx] = stacks as [Tensor, Tensor?];
  const dKernel = P.dot(starts[0]!, du!, {
    contract: [
      [0, 1],
      [0, 1],
    ],
    batch: [[], []],
  });
  return [dx, dKernel, ...carry, ...(bias ? [P.sum(du!, [0, 1])] : []), ...(mask ? [null] : [])].map((g) =>
    g && isDifferentiable(g.dtype) ? g : null,
  );
}
