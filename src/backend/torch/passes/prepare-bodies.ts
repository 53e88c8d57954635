import type { Program, ValueId } from "../../../core/program.js";
import type { ScanAttributes } from "../../../primitives/index.js";
import type { Pass } from "./index.js";

/**
 * Makes the bodies of scans ready as Programs of their own, so that the loop may run natively. What becomes constant in a body is a constant
 * of the whole, which the body captures.
 */
export const prepareBodies =
  (prepare: Pass): Pass =>
  (program) => {
    if (!program.instructions.some(({ op }) => op === "scan")) return program;
    const values = [...program.values];
    const constants = [...program.constants];
    const instructions = program.instructions.map((instruction) => {
      if (instruction.op !== "scan") return instruction;
      const attributes = instruction.attributes as ScanAttributes;
      const body = prepare(attributes.body);
      const captured = body.constants.map(({ id, tensor }): ValueId => {
        const outer = values.push(body.values[id]!) - 1;
        constants.push({ id: outer, tensor });
        return outer;
      });
      const lifted: Program = {
        ...body,
        inputs: [...body.inputs, ...body.constants.map(({ id }) => id)],
        constants: [],
      };
      return {
        ...instruction,
        inputs: [...instruction.inputs, ...captured],
        attributes: { ...attributes, body: lifted } satisfies ScanAttributes,
      };
    });
    return { ...program, values, constants, instructions };
  };
