import type { SymbolicShape } from "../../core/keras-tensor.js";
import { showShape } from "../base/shapes.js";

/** An equation of two operands: labels of the inputs, the kernel and the outputs, and where axes are left out. */
interface Equation {
  readonly input: readonly string[];
  readonly kernel: readonly string[];
  readonly output: readonly string[];
  readonly elided: "left" | "right" | null;
}
const forms = [
  { pattern: /^([a-zA-Z]+),([a-zA-Z]+)->([a-zA-Z]+)$/, elided: null },
  { pattern: /^\.\.\.([a-zA-Z]+),([a-zA-Z]+)->\.\.\.([a-zA-Z]+)$/, elided: "left" },
  { pattern: /^([a-zA-Z]{2,})\.\.\.,([a-zA-Z]+)->([a-zA-Z]+)\.\.\.$/, elided: "right" },
] as const;

function parse(equation: string): Equation {
  for (const { pattern, elided } of forms) {
    const [, input, kernel, output] = pattern.exec(equation) ?? [];
    if (input && kernel && output) return { input: [...input], kernel: [...kernel], output: [...output], elided };
  }
  throw new TypeError(
    `The equation "${equation}" has none of the forms "[X],[Y]->[Z]", "...[X],[Y]->...[Z]" and "[X]...,[Y]->[Z]...".`,
  );
}

/** What an EinsumDense layer needs to know to make its weights. */
export interface EinsumShapes {
  readonly kernel: SymbolicShape;
  readonly bias: SymbolicShape | null;
  /** Axes of the kernel that meet the inputs. */
  readonly inputAxes: readonly number[];
  /** Axes of the kernel that are part of the outputs. */
  readonly outputAxes: readonly number[];
}

/**
 * Shapes of kernel and bias for inputs of a shape.
 * @param sample Shape of the outputs, without the batch axis and axes that the equation leaves out.
 */
export function einsumShapes(
  equation: string,
  biasAxes: string | null,
  inputShape: SymbolicShape,
  sample: SymbolicShape,
): EinsumShapes {
  const { input, kernel, output, elided } = parse(equation);
  const extra = Math.max(0, inputShape.length - input.length);
  const [batch = null] = inputShape;
  const left = elided === "left" ? extra : 0;
  const full =
    elided === "left"
      ? [batch, ...inputShape.slice(1, extra), ...sample]
      : [batch, ...sample, ...inputShape.slice(inputShape.length - extra)];
  const sizeIn = new Map(input.map((label, i) => [label, inputShape[i + left] ?? null]));
  const sizeOut = new Map(output.map((label, i) => [label, full[i + left] ?? null]));
  const fail = (problem: string): never => {
    throw new RangeError(`The equation "${equation}" does not fit inputs ${showShape(inputShape)}: ${problem}.`);
  };
  for (const label of input) {
    const [given, wanted] = [sizeIn.get(label) ?? null, sizeOut.get(label) ?? null];
    if (wanted !== null && given !== wanted)
      fail(`"${label}" is ${given} in the inputs and ${wanted} in the outputs ${showShape(full)}`);
  }
  for (const label of output)
    if (!sizeIn.has(label) && !kernel.includes(label)) fail(`"${label}" comes from neither inputs nor kernel`);
  for (const label of kernel)
    if (!sizeIn.has(label) && !sizeOut.has(label)) fail(`"${label}" of the kernel is in neither inputs nor outputs`);
  const axes = kernel.map((_, i) => i);
  return {
    kernel: kernel.map((label) => (sizeOut.has(label) ? sizeOut.get(label)! : sizeIn.get(label)!)),
    bias: biasAxes === null ? null : biasShape(biasAxes, output, sizeOut, elided === "left" ? 0 : extra, fail),
    inputAxes: axes.filter((i) => !sizeOut.has(kernel[i]!)),
    outputAxes: axes.filter((i) => sizeOut.has(kernel[i]!)),
  };
}

/** From the first biased axis on: its size for a biased axis, 1 for others. */
function biasShape(
  biasAxes: string,
  output: readonly string[],
  sizes: ReadonlyMap<string, number | null>,
  trailing: number,
  fail: (problem: string) => never,
): SymbolicShape {
  for (const label of biasAxes) if (!output.includes(label)) fail(`the bias axis "${label}" is not in the outputs`);
  const first = Math.min(...[...biasAxes].map((label) => output.indexOf(label)));
  return [
    ...output.slice(first).map((label) => (biasAxes.includes(label) ? (sizes.get(label) ?? null) : 1)),
    ...Array<number>(trailing).fill(1),
  ];
}
