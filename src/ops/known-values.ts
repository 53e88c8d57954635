import { engine } from "../core/engine.js";
import { interpreter } from "../core/interpreter.js";
import { NDArray } from "../core/ndarray.js";
import type { Tensor } from "../core/tensor.js";

/** The values of `x` where they can be read at once; null while shapes are inferred or code is compiled, and on engines that read asynchronously. */
export function knownValues(x: Tensor): NDArray | null {
  if (interpreter.get().mode !== "eager") return null;
  const values = engine().toHost(x.handle);
  if (values instanceof NDArray) return values;
  void values.catch(() => null);
  return null;
}
