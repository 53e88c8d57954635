import { boundEngineName, isEngineInUse } from "../../core/engine.js";
import { tf } from "./library.js";
import { startTensorFlow } from "./start.js";

/** Backends of TensorFlow.js that compute on a graphics processor. */
const onGraphics = new Set(["webgl", "webgpu"]);

/** Name of the TensorFlow.js backend that computes: "wasm", "cpu", "webgl", "webgpu", or one that the program has registered. */
export const tfjsBackend = (): string => tf.getBackend();

/** What `device()` may call it. */
export const devices = (): readonly string[] =>
  [onGraphics.has(tfjsBackend()) ? "gpu" : "cpu", tfjsBackend()].filter(isFirst);
const isFirst = (name: string, i: number, all: readonly string[]): boolean => all.indexOf(name) === i;

/**
 * Changes the TensorFlow.js backend, as KERAS_TFJS_BACKEND does from the start. Throws for an unknown name, when its package is not
 * installed, and once tensors may exist: a step that is compiled stays on the backend it was compiled for.
 */
export async function setTfjsBackend(name: string): Promise<void> {
  if (name === tfjsBackend()) return;
  if (isEngineInUse() && boundEngineName() === "tensorflow")
    throw new Error(
      `TensorFlow.js computes on "${tfjsBackend()}" already, and tensors may exist there. Call setTfjsBackend("${name}") before the first tensor, layer or model is made, or set KERAS_TFJS_BACKEND.`,
    );
  await startTensorFlow(name);
}
