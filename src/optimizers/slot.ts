import type { Tensor } from "../core/tensor.js";
import { Variable } from "../core/variable.js";
import * as P from "../primitives/index.js";

/** A variable that an optimizer keeps for every trained one. */
export class Slot {
  readonly #variables = new Map<Variable, Variable>();

  constructor(readonly name: string) {}

  /** Makes the slot's variable for `reference`: zeros of its shape and dtype, or what `initial` gives. */
  create(reference: Variable, initial?: (reference: Variable) => Tensor | null): Variable {
    const dtype = reference.variableDType;
    const variable = new Variable(() => initial?.(reference) ?? P.full(reference.shape, 0, dtype), {
      shape: reference.shape,
      dtype,
      trainable: false,
      name: `${reference.path.replaceAll("/", "_")}_${this.name}`,
    });
    this.#variables.set(reference, variable);
    return variable;
  }
  /** The variable kept for `reference`; throws when there is none. */
  of(reference: Variable): Variable {
    const variable = this.#variables.get(reference);
    if (!variable)
      throw new Error(`The optimizer keeps no ${this.name} for "${reference.path}": it was not built with it.`);
    return variable;
  }
}
