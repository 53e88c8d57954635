import { isDifferentiable, type TensorSpec } from "../core/dtype.js";
import { vectorJacobianProduct } from "../core/gradient.js";
import type { GradientContext } from "../core/primitive.js";
import type { Program } from "../core/program.js";
import { isRecording } from "../core/tape.js";
import type { Tensor } from "../core/tensor.js";
import { traceClosure } from "../core/trace.js";
import type { CondAttributes, ScanAttributes } from "./control.js";
import { add, cond, full, inlineProgram, scan } from "./index.js";

const zeros = ({ shape, dtype }: TensorSpec): Tensor => full(shape, 0, dtype);
const orZeros = (gradient: Tensor | null | undefined, like: TensorSpec): Tensor => gradient ?? zeros(like);

/** Differentiates a body once more: from its inputs and its outputs' gradients to its inputs' gradients. */
function pullBack(
  body: Program,
  inputs: readonly Tensor[],
  gradients: readonly Tensor[],
  wanted: readonly boolean[],
): Tensor[] {
  const wrt = inputs.filter((_, i) => wanted[i]);
  const { gradients: found } = vectorJacobianProduct(
    () => inlineProgram(body, inputs),
    wrt,
    () => gradients,
  );
  let next = 0;
  return inputs.flatMap((x, i) => (wanted[i] ? [orZeros(found[next++], x)] : []));
}

export function condGradient(
  gradients: readonly (Tensor | null)[],
  { inputs, outputs, attributes, needed }: GradientContext<CondAttributes>,
): (Tensor | null)[] {
  const [predicate, ...operands] = inputs;
  const wanted = operands.map((x, i) => needed[i + 1]! && isDifferentiable(x.dtype));
  const incoming = outputs.map((y, i) => orZeros(gradients[i], y));
  const branch = (body: Program): Program =>
    traceClosure(
      (xs) => pullBack(body, xs.slice(0, operands.length), xs.slice(operands.length), wanted),
      [...operands, ...incoming],
    ).program;
  const found = cond(predicate!, [...operands, ...incoming], {
    whenTrue: branch(attributes.whenTrue),
    whenFalse: branch(attributes.whenFalse),
  });
  let next = 0;
  return [null, ...operands.map((_, i) => (wanted[i] ? found[next++]! : null))];
}

/** Scans backwards, recomputing each step from the carry it began with; gradients of captured values add up in the carry. */
export function scanGradient(
  gradients: readonly (Tensor | null)[],
  { inputs, outputs, attributes, needed }: GradientContext<ScanAttributes>,
): (Tensor | null)[] {
  const { body, carries, sequences, length, reverse, keepCarries } = attributes;
  if (!keepCarries)
    throw new Error("scan: its carries were not kept, so it has no gradient. Open the gradient tape before the scan.");
  const results = body.outputs.length - carries;
  const xs = inputs.slice(carries, carries + sequences);
  const captured = inputs.slice(carries + sequences);
  const starts = outputs.slice(carries + results);

  const flowing = starts.map((c) => isDifferentiable(c.dtype));
  const wantedX = xs.map((x, i) => needed[carries + i]! && isDifferentiable(x.dtype));
  const wantedC = captured.map((c, i) => needed[carries + sequences + i]! && isDifferentiable(c.dtype));
  const wanted = [...flowing, ...wantedX, ...wantedC];

  const carryGradients = outputs.slice(0, carries).flatMap((c, i) => (flowing[i] ? [orZeros(gradients[i], c)] : []));
  const sums = captured.filter((_, i) => wantedC[i]).map(zeros);
  const resultGradients = outputs.slice(carries, carries + results).map((y, i) => orZeros(gradients[carries + i], y));
  // The kept carries are results too: what later gradients ask of them joins the carries' own.
  const startGradients = starts.flatMap((c, i) => (flowing[i] ? [orZeros(gradients[carries + results + i], c)] : []));
  const slices = (stack: readonly Tensor[]): TensorSpec[] =>
    stack.map(({ shape, dtype }) => ({ shape: shape.slice(1), dtype }));

  const step = (all: readonly Tensor[]): Tensor[] => {
    let at = 0;
    const next = (n: number): readonly Tensor[] => all.slice(at, (at += n));
    const [gc, sum, start, x, gy, gs, constant] = [
      next(carryGradients.length),
      next(sums.length),
      next(starts.length),
      next(xs.length),
      next(results),
      next(startGradients.length),
      next(captured.length),
    ] as const;
    let seen = 0;
    const outgoing = [...start.map((c, i) => (flowing[i] ? gc[seen++]! : zeros(c))), ...gy];
    const found = pullBack(body, [...start, ...x, ...constant], outgoing, wanted);
    const dc = found.slice(0, gc.length).map((g, i) => add(g, gs[i]!));
    const dx = found.slice(gc.length, found.length - sum.length);
    const dk = found.slice(found.length - sum.length).map((g, i) => add(sum[i]!, g));
    return [...dc, ...dk, ...dx];
  };
  const sequencesBack = [...starts, ...xs, ...resultGradients, ...startGradients];
  const specs = [...carryGradients, ...sums, ...slices(sequencesBack), ...captured];
  const backwardInputs = [...carryGradients, ...sums, ...sequencesBack, ...captured];
  const found = scan(backwardInputs, {
    body: traceClosure(step, specs).program,
    carries: carryGradients.length + sums.length,
    sequences: sequencesBack.length,
    length,
    reverse: !reverse,
    keepCarries: isRecording(backwardInputs),
  });
  let carry = 0;
  let sum = carryGradients.length;
  let x = carryGradients.length + sums.length;
  return [
    ...flowing.map((flows) => (flows ? found[carry++]! : null)),
    ...wantedX.map((w) => (w ? found[x++]! : null)),
    ...wantedC.map((w) => (w ? found[sum++]! : null)),
  ];
}
