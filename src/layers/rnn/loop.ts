import type { Tensor } from "../../core/tensor.js";
import { scan } from "../../ops/loops.js";
import { stack } from "../../ops/shape.js";
import { unstack } from "../../ops/slices.js";
import * as P from "../../primitives/index.js";
import { flatten, packSequenceAs } from "../../tree/index.js";
import type { States } from "./cell.js";
import { lastOf } from "./time-axis.js";

/** What a loop along a sequence needs. */
export interface LoopOptions {
  /** One step: its output and the next states. */
  readonly step: (inputs: Tensor, states: readonly States[]) => readonly [output: Tensor, states: readonly States[]];
  /** [steps, batch, ...]. */
  readonly inputs: Tensor;
  readonly states: readonly States[];
  /** Which steps count, bool [steps, batch, 1]; null when all do. */
  readonly mask: Tensor | null;
  readonly goBackwards: boolean;
  readonly unroll: boolean;
  readonly zeroOutputForMask: boolean;
}
/** What a loop ends with. */
export interface LoopResult {
  readonly last: Tensor;
  /** [steps, batch, ...], in the order in which the steps were made. */
  readonly outputs: Tensor;
  readonly states: readonly States[];
}

/** A mask [batch, 1] with as many axes as `like`. */
export const spread = (mask: Tensor, like: Tensor): Tensor =>
  P.reshape(mask, [mask.shape[0]!, ...Array<number>(like.ndim - 1).fill(1)]);
/** `x` where the mask holds, `y` elsewhere. */
export const choose = (mask: Tensor, x: Tensor, y: Tensor): Tensor => P.select(spread(mask, x), x, y);
const zerosLike = (x: Tensor): Tensor => P.full(x.shape, 0, x.dtype);
const tensorsOf = (states: readonly States[]): Tensor[] => flatten(states) as Tensor[];

/** Goes along a sequence with a step that may do anything. */
export const loop = (options: LoopOptions): LoopResult => (options.unroll ? written(options) : looped(options));

function looped({ step, inputs, states, mask, goBackwards, zeroOutputForMask }: LoopOptions): LoopResult {
  const init = tensorsOf(states);
  const pack = (tensors: readonly Tensor[]): States[] => packSequenceAs(states, tensors) as States[];
  const { carry, results } = scan(
    (before, [x, valid]) => {
      const packed = pack(before);
      const [output, next] = step(x!, packed);
      const after = tensorsOf(next);
      if (!valid) return { carry: after, results: [output] };
      // Of stacked cells, the first state of the last one is its output.
      const [first] = tensorsOf([packed[0] instanceof Array ? packed.at(-1)! : packed[0]!]);
      return {
        carry: after.map((state, i) => choose(valid, state, before[i]!)),
        results: [choose(valid, output, zeroOutputForMask ? zerosLike(output) : first!)],
      };
    },
    init,
    mask ? [inputs, mask] : [inputs],
    { length: inputs.shape[0]!, reverse: goBackwards },
  );
  const outputs = goBackwards ? P.reverse(results[0]!, [0]) : results[0]!;
  return { last: lastOf(outputs), outputs, states: pack(carry) };
}

function written({ step, inputs, states, mask, goBackwards }: LoopOptions): LoopResult {
  const order = <T>(items: T[]): T[] => (goBackwards ? items.reverse() : items);
  const xs = order(unstack(inputs, { axis: 0 }));
  const masks = mask && order(unstack(mask, { axis: 0 }));
  const outputs: Tensor[] = [];
  let current = states;
  xs.forEach((x, i) => {
    let [output, next] = step(x, current);
    if (masks) {
      const valid = masks[i]!;
      const before = tensorsOf(current);
      output = choose(valid, output, outputs.at(-1) ?? zerosLike(output));
      const kept = tensorsOf(next).map((state, k) => choose(valid, state, before[k]!));
      next = packSequenceAs(current, kept) as States[];
    }
    outputs.push(output);
    current = next;
  });
  return { last: outputs.at(-1)!, outputs: stack(outputs, { axis: 0 }), states: current };
}
