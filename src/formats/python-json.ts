/** JSON as Python reads and writes it. */
export { PyFloat } from "../utils/py-float.js";
export { parsePythonJson } from "./python-json-parse.js";
export type { ParsePythonJsonOptions } from "./python-json-parse.js";
export { stringifyPythonJson } from "./python-json-write.js";
export type { WritePythonJsonOptions } from "./python-json-write.js";
export { pythonRepr } from "./python-repr.js";
