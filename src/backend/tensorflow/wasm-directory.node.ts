import { createRequire } from "node:module";
import path from "node:path";

/** The directory, with a slash at its end, where the WebAssembly files of TensorFlow.js are installed. */
export function wasmDirectory(): string {
  const main = createRequire(import.meta.url).resolve("@tensorflow/tfjs-backend-wasm");
  return path.dirname(main) + path.sep;
}
