import type { Arguments, Fields } from "../../config/fields.js";
import type { Layer, LayerOptions } from "../layer.js";

/** The arguments of the cell of a layer: those of its fields that the layer has as well, under the layer's policy. */
export function cellArguments<F extends Fields>(layer: Layer, fields: F, name: string): Arguments<F> & LayerOptions {
  const own = layer as unknown as Record<string, unknown>;
  const given = Object.fromEntries(Object.keys(fields).map((key) => [key, own[key]]));
  return { ...given, name, dtype: layer.dtypePolicy, trainable: layer.trainable } as unknown as Arguments<F> &
    LayerOptions;
}
