import type { DType, Shape, TensorSpec } from "../core/dtype.js";
import type { Instruction, Program, ValueId } from "../core/program.js";
import type { Tensor } from "../core/tensor.js";

/** Writes Programs by hand, which needs no engine. */
export class ProgramWriter {
  readonly #values: TensorSpec[] = [];
  readonly #inputs: ValueId[] = [];
  readonly #constants: { readonly id: ValueId; readonly tensor: Tensor }[] = [];
  readonly #instructions: Instruction[] = [];

  /** A value that nothing gives yet. */
  value(shape: Shape, dtype: DType = "float32"): ValueId {
    return this.#values.push({ shape, dtype }) - 1;
  }
  input(shape: Shape, dtype: DType = "float32"): ValueId {
    const id = this.value(shape, dtype);
    this.#inputs.push(id);
    return id;
  }
  constant(tensor: Tensor): ValueId {
    const id = this.value(tensor.shape, tensor.dtype);
    this.#constants.push({ id, tensor });
    return id;
  }
  /** An instruction with one result of a shape. */
  op(op: string, inputs: readonly ValueId[], shape: Shape, attributes: object = {}, dtype: DType = "float32"): ValueId {
    const id = this.value(shape, dtype);
    this.add({ op, inputs, outputs: [id], attributes });
    return id;
  }
  add(instruction: Instruction): void {
    this.#instructions.push(instruction);
  }
  finish(...outputs: readonly ValueId[]): Program {
    return {
      values: this.#values,
      inputs: this.#inputs,
      constants: this.#constants,
      instructions: this.#instructions,
      outputs,
    };
  }
}
