import type { TensorSpec } from "./dtype.js";
import { interpreter, type CompositeCall, type Interpreter } from "./interpreter.js";
import type { Primitive } from "./primitive.js";
import {
  eliminateDeadCode,
  type CompositeAttributes,
  type Instruction,
  type Program,
  type ValueId,
} from "./program.js";
import { Tensor } from "./tensor.js";

/** A value of a Program under construction. */
export class Tracer extends Tensor {
  constructor(
    readonly builder: ProgramBuilder,
    readonly id: ValueId,
    spec: TensorSpec,
  ) {
    super(null, spec, false);
  }
  override get handle(): never {
    throw new Error(
      "This tensor has no values yet: its function is being compiled. Read values outside compiled code, or pass runEagerly: true to compile().",
    );
  }
}

/** Writes ops down as instructions. */
export class ProgramBuilder implements Interpreter {
  readonly mode = "trace";
  readonly #values: TensorSpec[] = [];
  readonly #inputs: ValueId[] = [];
  readonly #instructions: Instruction[] = [];
  /** Tensors from outside the trace, in the order they were met. */
  readonly captured = new Map<Tensor, ValueId>();

  input(spec: TensorSpec): Tracer {
    const tracer = this.#value(spec);
    this.#inputs.push(tracer.id);
    return tracer;
  }
  run<A extends object>(primitive: Primitive<A>, inputs: readonly Tensor[], attributes: A): readonly Tensor[] {
    return this.emit(primitive.name, inputs, attributes, primitive.infer(inputs, attributes));
  }
  runComposite({ name, attributes, inputs, body }: CompositeCall): readonly Tensor[] {
    const { program, captured } = traceClosure(body, inputs);
    const operands = [...inputs, ...captured];
    const call: CompositeAttributes = { name, attributes, body: program };
    return this.emit(
      "composite",
      operands,
      call,
      program.outputs.map((id) => program.values[id]!),
    );
  }
  emit(op: string, inputs: readonly Tensor[], attributes: object, specs: readonly TensorSpec[]): Tracer[] {
    const ids = inputs.map((x) => this.idOf(x));
    const outputs = specs.map(({ shape, dtype }) => this.#value({ shape, dtype }));
    this.#instructions.push({ op, inputs: ids, outputs: outputs.map((y) => y.id), attributes });
    return outputs;
  }
  idOf(x: Tensor): ValueId {
    if (x instanceof Tracer && x.builder === this) return x.id;
    const known = this.captured.get(x);
    if (known !== undefined) return known;
    const { id } = this.#value({ shape: x.shape, dtype: x.dtype });
    this.captured.set(x, id);
    return id;
  }
  /** Captured tensors become constants, or further inputs when `lift` is set. */
  finish(outputs: readonly Tensor[], { lift = false } = {}): Program {
    const ids = outputs.map((y) => this.idOf(y));
    const constants = lift ? [] : [...this.captured].map(([tensor, id]) => ({ id, tensor }));
    const inputs = lift ? [...this.#inputs, ...this.captured.values()] : this.#inputs;
    return eliminateDeadCode({
      values: this.#values,
      inputs,
      constants,
      instructions: this.#instructions,
      outputs: ids,
    });
  }
  #value(spec: TensorSpec): Tracer {
    return new Tracer(this, this.#values.push(spec) - 1, spec);
  }
}

/** Runs `fn` on tracers of the given specs and returns the Program it performs. Tensors from outside become its constants. */
export function trace(fn: (...inputs: Tensor[]) => readonly Tensor[], specs: readonly TensorSpec[]): Program {
  const builder = new ProgramBuilder();
  const inputs = specs.map((spec) => builder.input(spec));
  return builder.finish(interpreter.run(builder, () => fn(...inputs)));
}

/** Traces `fn` with the tensors it captures from outside as further inputs, after its own: the form of bodies and branches. */
export function traceClosure(
  fn: (inputs: readonly Tensor[]) => readonly Tensor[],
  specs: readonly TensorSpec[],
): { program: Program; captured: readonly Tensor[] } {
  const builder = new ProgramBuilder();
  const inputs = specs.map(({ shape, dtype }) => builder.input({ shape, dtype }));
  const outputs = interpreter.run(builder, () => fn(inputs));
  const program = builder.finish(outputs, { lift: true });
  return { program, captured: [...builder.captured.keys()] };
}

/** Applies the instructions of `program` to `inputs` in the current mode. Used to inline a body. */
export function evaluate(
  program: Program,
  inputs: readonly Tensor[],
  apply: (instruction: Instruction, inputs: readonly Tensor[]) => readonly Tensor[],
): readonly Tensor[] {
  const values = new Map<ValueId, Tensor>();
  program.inputs.forEach((id, i) => values.set(id, inputs[i]!));
  for (const { id, tensor } of program.constants) values.set(id, tensor);
  for (const instruction of program.instructions) {
    const results = apply(
      instruction,
      instruction.inputs.map((id) => values.get(id)!),
    );
    instruction.outputs.forEach((id, i) => values.set(id, results[i]!));
  }
  return program.outputs.map((id) => values.get(id)!);
}
