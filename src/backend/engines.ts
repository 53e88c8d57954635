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
  tensorflow: {
    load: () => import("./tensorflow/index.js"),
    requires: {
      package: "@tensorflow/tfjs-core",
      install:
        "npm install @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-backend-cpu@4.22.0 @tensorflow/tfjs-backend-wasm@4.22.0",
    },
  },
  jax: {
    load: () => import("./jax/index.js"),
    requires: { package: "@jax-js/jax", install: "npm install @jax-js/jax@0.1.25" },
  },
  torch: { load: () => import("./torch/index.js") },
};
