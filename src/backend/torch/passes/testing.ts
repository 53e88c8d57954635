import { NDArray } from "../../../core/ndarray.js";
import { Tensor } from "../../../core/tensor.js";
import { Value } from "../value.js";

/** A float32 vector of the built-in engine, as a constant of a Program. */
export function constantOf(numbers: readonly number[]): Tensor {
  const array = new NDArray(Float32Array.from(numbers), [numbers.length], "float32");
  return new Tensor(Value.ofArray(array), array, false);
}
export const numbersOf = ({ handle }: Tensor): number[] => [...(handle as Value).toHost().numbers()];
