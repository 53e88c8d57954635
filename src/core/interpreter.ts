import type { TensorSpec } from "./dtype.js";
import { Dynamic } from "./dynamic.js";
import { engine } from "./engine.js";
import type { Primitive } from "./primitive.js";
import { Tensor } from "./tensor.js";

/** A composite op as the interpreters see it: a name, what to do when nobody knows the name, and its plain arguments. */
export interface CompositeCall {
  readonly name: string;
  readonly attributes: object;
  readonly inputs: readonly Tensor[];
  readonly body: (inputs: readonly Tensor[]) => readonly Tensor[];
}

/** What it means to apply an op: run it, infer its shape, or write it down. */
export interface Interpreter {
  readonly mode: "eager" | "spec" | "trace";
  run<A extends object>(primitive: Primitive<A>, inputs: readonly Tensor[], attributes: A): readonly Tensor[];
  runComposite(call: CompositeCall): readonly Tensor[];
}

/** A tensor in spec mode: a shape and a dtype, with NaN for unknown dimensions. */
export class AbstractTensor extends Tensor {
  constructor(spec: TensorSpec) {
    super(null, spec, false);
  }
  override get handle(): never {
    throw new Error("This tensor has no values: shapes are being inferred. Values can only be read in eager code.");
  }
}

const eager: Interpreter = {
  mode: "eager",
  run(primitive, inputs, attributes) {
    const specs = primitive.infer(inputs, attributes);
    const handles = engine().execute(
      primitive.name,
      inputs.map((x) => x.handle),
      attributes,
      specs,
    );
    return handles.map((handle, i) => new Tensor(handle, specs[i]!));
  },
  runComposite({ name, attributes, inputs, body }) {
    const current = engine();
    if (current.executeComposite && current.hasComposite?.(name)) {
      const specs = inSpecMode(() => body(inputs));
      const handles = current.executeComposite(
        name,
        inputs.map((x) => x.handle),
        attributes,
        specs,
      );
      if (handles) return handles.map((handle, i) => new Tensor(handle, specs[i]!));
    }
    return body(inputs);
  },
};

const spec: Interpreter = {
  mode: "spec",
  run: (primitive, inputs, attributes) =>
    primitive.infer(inputs, attributes).map((output) => new AbstractTensor(output)),
  runComposite: ({ inputs, body }) => body(inputs),
};

export const interpreter = new Dynamic<Interpreter>(eager);
/** Runs `fn` so that ops only infer shapes and dtypes; nothing is computed. */
export const inSpecMode = <T>(fn: () => T): T => interpreter.run(spec, fn);
/** Runs `fn` so that ops compute at once. */
export const inEagerMode = <T>(fn: () => T): T => interpreter.run(eager, fn);
export const isSpecMode = (): boolean => interpreter.get().mode === "spec";
