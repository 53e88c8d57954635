import chosen from "#backend";
import { bindEngine, boundEngineName } from "../core/engine.js";
import { loadOffered } from "./switching.js";

bindEngine(chosen);

/** Name of the engine that computes: "numpy" unless `KERAS_BACKEND` or keras.json says otherwise. */
export const backend = (): string => boundEngineName()!;

/**
 * Changes the engine. Throws for an unknown name, when the engine's package is not installed, and once a tensor, layer or
 * model was made, because tensors of two engines cannot meet, and in programs made for one engine by a bundler condition.
 */
export async function setBackend(name: string): Promise<void> {
  if (name === backend()) return;
  bindEngine(await loadOffered(name, backend(), "setBackend"));
}
export type { Backend, Composites, Kernel, Kernels } from "./backend.js";
