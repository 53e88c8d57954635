import chosen from "#backend";
import { bindEngine, boundEngineName } from "../core/engine.js";
import { loadBackend } from "./load.js";

bindEngine(chosen);

/** Name of the engine that computes: "numpy" unless `KERAS_BACKEND` or keras.json says otherwise. */
export const backend = (): string => boundEngineName()!;

/**
 * Changes the engine. Throws for an unknown name, when the engine's package is not installed, and once a tensor, layer or
 * model was made, because tensors of two engines cannot meet.
 */
export async function setBackend(name: string): Promise<void> {
  if (name === backend()) return;
  bindEngine(await loadBackend(name, "setBackend"));
}
export type { Backend, Composites, Kernel, Kernels } from "./backend.js";
