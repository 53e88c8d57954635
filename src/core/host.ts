import { engine } from "./engine.js";
import { AbstractTensor } from "./interpreter.js";
import { NDArray } from "./ndarray.js";
import type { Tensor } from "./tensor.js";
import { Tracer } from "./trace.js";

/**
 * The values of `x` at once, for ops whose result shape depends on them; null while shapes are inferred.
 * Throws inside compiled code, where values do not exist yet, and on engines that only read asynchronously.
 */
export function readNow(x: Tensor, op: string): NDArray | null {
  if (x instanceof AbstractTensor) return null;
  if (x instanceof Tracer)
    throw new Error(
      `${op}: the shape of its result depends on values, which compiled code does not have. Call it in eager code, or give the size it asks for.`,
    );
  const array = engine().toHost(x.handle);
  if (array instanceof NDArray) return array;
  throw new Error(
    `${op} needs values at once, but the "${engine().name}" engine reads them asynchronously. Give the size it asks for.`,
  );
}
