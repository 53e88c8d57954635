import { expect, vi } from "vitest";
import type * as keras from "../../src/index.js";

export type Keras = typeof keras;

/** The package as a process sees it that chose `backend`. */
export async function kerasOn(backend: string): Promise<Keras> {
  vi.resetModules();
  vi.stubEnv("KERAS_BACKEND", backend);
  const loaded = await import("../../src/index.js");
  expect(loaded.backend.backend()).toBe(backend);
  return loaded;
}
