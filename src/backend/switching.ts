import type { Engine } from "../core/engine.js";

/** Loads an engine by name; `from` says where the name was written. */
export type EngineLoader = (name: string, from: string) => Promise<Engine>;

let loader: EngineLoader | null = null;

/** Lets programs change their engine. What binds a single engine offers none, so that bundlers leave the others out. */
export const offerEngines = (load: EngineLoader): void => {
  loader = load;
};

/** Loads the engine called `name` for a program that runs on `bound`. Throws when the program was made for that one alone. */
export function loadOffered(name: string, bound: string, from: string): Promise<Engine> {
  if (loader) return loader(name, from);
  throw new Error(
    `This program was bundled or started with the condition "keras-${bound}", for the backend "${bound}" alone. ` +
      `Leave the condition out, or use "keras-${name}" for "${name}".`,
  );
}
