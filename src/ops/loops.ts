import type { Tensor } from "../core/tensor.js";
import { traceClosure } from "../core/trace.js";
import { isRecording } from "../core/tape.js";
import * as P from "../primitives/index.js";

/** Control flow over flat lists of tensors, with bodies traced once into sub-Programs. */

type Tensors = readonly Tensor[];

/** Repeats `body` on the carried tensors while `condition` gives a true scalar. */
export function whileLoop(
  condition: (carry: Tensors) => Tensor,
  body: (carry: Tensors) => Tensors,
  init: Tensors,
): Tensors {
  const test = traceClosure((xs) => [condition(xs)], init);
  const step = traceClosure(body, init);
  const specs = step.program.outputs.map((id) => step.program.values[id]!);
  specs.forEach(({ shape, dtype }, i) => {
    const start = init[i];
    if (
      !start ||
      start.dtype !== dtype ||
      start.shape.length !== shape.length ||
      start.shape.some((d, axis) => d !== shape[axis])
    ) {
      throw new TypeError(
        `whileLoop: carried tensor ${i} enters as ${start?.dtype} [${start?.shape}] and leaves the body as ${dtype} [${shape}]. They must agree.`,
      );
    }
  });
  return P.whileLoop([...init, ...test.captured, ...step.captured], {
    condition: test.program,
    body: step.program,
    carries: init.length,
    conditionCaptures: test.captured.length,
  });
}

/** Runs `body` along the leading axis of `sequences`: final carries and stacked results. */
export function scan(
  body: (carry: Tensors, x: Tensors) => { readonly carry: Tensors; readonly results: Tensors },
  init: Tensors,
  sequences: Tensors,
  { length, reverse = false }: { length: number; reverse?: boolean },
): { readonly carry: Tensors; readonly results: Tensors } {
  const n = init.length;
  const specs = [...init, ...sequences.map(({ shape, dtype }) => ({ shape: shape.slice(1), dtype }))];
  let results = 0;
  const { program, captured } = traceClosure((xs) => {
    const out = body(xs.slice(0, n), xs.slice(n));
    results = out.results.length;
    return [...out.carry, ...out.results];
  }, specs);
  const inputs = [...init, ...sequences, ...captured];
  const outputs = P.scan(inputs, {
    body: program,
    carries: n,
    sequences: sequences.length,
    length,
    reverse,
    keepCarries: isRecording(inputs),
  });
  return { carry: outputs.slice(0, n), results: outputs.slice(n, n + results) };
}

/** Runs one of two functions of `operands`, by a bool scalar. */
export function cond(
  predicate: Tensor,
  whenTrue: (operands: Tensors) => Tensors,
  whenFalse: (operands: Tensors) => Tensors,
  operands: Tensors,
): Tensors {
  const yes = traceClosure(whenTrue, operands);
  const no = traceClosure(whenFalse, operands);
  const count = operands.length;
  // Both branches take the operands and what either captures.
  const padded = ({ program }: typeof yes, before: Tensors, after: Tensors) =>
    traceClosure(
      (xs) =>
        P.inlineProgram(program, [...xs.slice(0, count), ...xs.slice(count + before.length, xs.length - after.length)]),
      [...operands, ...yes.captured, ...no.captured],
    ).program;
  return P.cond(predicate, [...operands, ...yes.captured, ...no.captured], {
    whenTrue: padded(yes, [], no.captured),
    whenFalse: padded(no, yes.captured, []),
  });
}
