import type { DType, Shape, TensorSpec } from "../core/dtype.js";
import type { Instruction, Program, ValueId } from "../core/program.js";

/** Writes Programs by hand, which needs no engine. */
export class ProgramWriter {
  readonly #values: TensorSpec[] = [];
  readonly #inputs: ValueId[] = [];
  readonly #instructions: Instruction[] = [];

  #value(shape: Shape, dtype: DType): ValueId {
    return this.#values.push({ shape, dtype }) - 1;
  }
  input(shape: Shape, dtype: DType = "float32"): ValueId {
    const id = this.#value(shape, dtype);
    this.#inputs.push(id);
    return id;
  }
  /** An instruction with one result of a shape. */
  op(op: string, inputs: readonly ValueId[], shape: Shape, attributes: object = {}, dtype: DType = "float32"): ValueId {
    const id = this.#value(shape, dtype);
    this.#instructions.push({ op, inputs, outputs: [id], attributes });
    return id;
  }
  finish(...outputs: readonly ValueId[]): Program {
    return {
      values: this.#values,
      inputs: this.#inputs,
      constants: [],
      instructions: this.#instructions,
      outputs,
    };
  }
}
