import { liveTensors, TensorScope } from "../../src/core/tensor.js";
import { Mismatch } from "./compare.js";

/** Throws when a call inside a scope leaves tensors behind. What a first call keeps for later ones is no leak: it was made before. */
export function checkLeaks(call: () => unknown): void {
  const before = liveTensors();
  {
    using _ = new TensorScope();
    call();
  }
  const left = liveTensors() - before;
  if (left > 0) throw new Mismatch(`leak: ${left} tensors are left after the call`);
}
