import type { TensorSpec } from "../core/dtype.js";
import type { Engine } from "../core/engine.js";
import type { NDArray } from "../core/ndarray.js";

/** How an engine on a library runs a primitive on a built-in engine; `own` makes its handle of one of the built-in engine's. */
export const builtInRunner =
  <V extends { readonly array: NDArray }>(engine: Engine, own: (array: NDArray) => V) =>
  (primitive: string, inputs: readonly V[], attributes: object, outputs: readonly TensorSpec[]): V[] => {
    const arrays = inputs.map((x) => x.array);
    return (engine.execute(primitive, arrays, attributes, outputs) as NDArray[]).map(own);
  };
