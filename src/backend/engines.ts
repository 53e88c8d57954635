import type { Engine } from "../core/engine.js";

/** An engine that can be chosen by name. */
export interface EngineEntry {
  load(): Promise<{ readonly default: Engine }>;
  /** The package that must be installed for it, with the command that does; absent where nothing is needed. */
  readonly requires?: { readonly package: string; readonly install: string };
}

/** Every engine, by the name that `KERAS_BACKEND` and keras.json give it. */
export const engines: Readonly<Record<string, EngineEntry>> = {
  numpy: { load: () => import("./numpy/index.js") },
  jax: {
    load: () => import("./jax/index.js"),
    requires: { package: "@jax-js/jax", install: "npm install @jax-js/jax@0.1.25" },
  },
};
