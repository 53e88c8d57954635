import { type DeserializeOptions, deserializeKerasObject } from "../config/deserialize.js";
import { serializeKerasObject } from "../config/serialize.js";
import { parsePythonJson, stringifyPythonJson } from "../formats/python-json.js";
import type { Model } from "./model.js";

/** The architecture of a model as Python Keras writes it into config.json. */
export function toJson(model: Model): string {
  return stringifyPythonJson(serializeKerasObject(model));
}

/** The model of an architecture as JSON, with fresh weights. */
export function modelFromJson(json: string, options: DeserializeOptions = {}): Model {
  return deserializeKerasObject(parsePythonJson(json, { floats: "wrap" }), options) as Model;
}
