import { evaluate } from "../core/trace.js";
import { bind, type Primitive } from "../core/primitive.js";
import type { Program } from "../core/program.js";
import { isRecording } from "../core/tape.js";
import type { Tensor } from "../core/tensor.js";
import * as binary from "./binary.js";
import * as compare from "./compare.js";
import * as control from "./control.js";
import * as convolutions from "./convolution.js";
import * as create from "./create.js";
import * as dots from "./dot.js";
import * as foreign from "./foreign.js";
import * as indexing from "./indexing.js";
import * as linalg from "./linalg.js";
import * as movement from "./movement.js";
import * as fused from "./multiply-add.js";
import * as pooling from "./pooling.js";
import * as random from "./random.js";
import * as reduce from "./reduce.js";
import * as sorts from "./sort.js";
import * as spectral from "./spectral.js";
import * as unary from "./unary.js";

export * from "./binary.js";
export * from "./compare.js";
export * from "./control.js";
export * from "./convolution.js";
export * from "./create.js";
export * from "./dot.js";
export * from "./foreign.js";
export * from "./indexing.js";
export * from "./linalg.js";
export * from "./movement.js";
export * from "./multiply-add.js";
export * from "./pooling.js";
export * from "./random.js";
export * from "./reduce.js";
export * from "./sort.js";
export * from "./spectral.js";
export * from "./unary.js";
export { broadcastShapes } from "./define.js";

const { unbroadcast: _unbroadcast, ...binaries } = binary;
const { windowCount: _windowCount, ...convolutionFunctions } = convolutions;
const { noForeignModules: _noForeignModules, ...foreigners } = foreign;
const functions = {
  ...unary,
  ...binaries,
  ...fused,
  ...compare,
  ...create,
  ...reduce,
  ...movement,
  ...indexing,
  ...sorts,
  ...dots,
  ...convolutionFunctions,
  ...pooling,
  ...linalg,
  ...spectral,
  ...random,
  ...control,
  ...foreigners,
};

/** Name of a primitive; the tables of engines, gradients and exporters are typed by it. */
export type PrimitiveName = keyof typeof functions;
/** The attributes of a primitive. */
export type AttributesOf<P extends PrimitiveName> = (typeof functions)[P] extends {
  readonly primitive: Primitive<infer A>;
}
  ? A
  : never;

/** Every primitive's declaration, by name. */
export const primitives = Object.fromEntries(
  Object.entries(functions).map(([name, { primitive }]) => [name, primitive]),
) as {
  readonly [P in PrimitiveName]: Primitive<AttributesOf<P>>;
};

/** Applies the instructions of a Program to `inputs` in the current mode. */
export function inlineProgram(program: Program, inputs: readonly Tensor[]): readonly Tensor[] {
  return evaluate(program, inputs, ({ op, attributes }, operands) => {
    if (op === "composite") return inlineProgram((attributes as { body: Program }).body, operands);
    // A scan inside a body was written down before anybody asked for its gradient.
    const keeps = op === "scan" && isRecording(operands) ? { ...attributes, keepCarries: true } : attributes;
    return bind(primitives[op as PrimitiveName] as Primitive<object>, operands, keeps);
  });
}
