import { type DeserializeOptions, deserializeKerasObject } from "../config/deserialize.js";
import { serializeKerasObject } from "../config/serialize.js";
import { parsePythonJson, stringifyPythonJson } from "../formats/python-json.js";
import type { Model } from "./model.js";

/** The architecture of a model as Python Keras writes it into config.json. */
export const toJson = (model: Model): string => stringifyPythonJson(serializeKerasObject(model));

/** The model of an architecture as JSON, with fresh weights. */
export const modelFromJson = (json: string, options: DeserializeOptions = {}): Model =>
  deserializeKerasObject(parsePythonJson(json), options) as Model;
