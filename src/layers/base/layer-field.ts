import { deserializeKerasObject } from "../../config/deserialize.js";
import { isEnvelope } from "../../config/envelope.js";
import { any, derived } from "../../config/fields.js";
import { wrongValue } from "../../config/make-field.js";
import type { Layer } from "../layer.js";
import { isLayer } from "./state.js";

/** An argument that is a layer, by itself or by its saved form. */
export const layerField = () =>
  derived(any<Layer>(), (value, name): Layer => {
    const layer: unknown = isEnvelope(value) ? deserializeKerasObject(value) : value;
    if (!isLayer(layer)) throw wrongValue(name, "a layer", value);
    return layer;
  });
