import type { Engine } from "../core/engine.js";
import { type EngineEntry, engines } from "./engines.js";

/**
 * Loads the engine called `name`. Throws when there is none, listing those there are, or when its package is not
 * installed, saying how to install it. `from` says where the name was written.
 */
export async function loadBackend(
  name: string,
  from: string,
  table: Readonly<Record<string, EngineEntry>> = engines,
): Promise<Engine> {
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!entry) {
    throw new Error(
      `Unknown backend: ${JSON.stringify(name)} (from ${from}). Expected one of: ${Object.keys(table).join(", ")}.`,
    );
  }
  try {
    return (await entry.load()).default;
  } catch (error) {
    if (!entry.requires || !isMissingModule(error)) throw error;
    throw new Error(
      `The backend "${name}" (from ${from}) needs the package ${entry.requires.package}, which is not installed. ` +
        `Install it with: ${entry.requires.install}`,
      { cause: error },
    );
  }
}

const isMissingModule = (error: unknown): boolean =>
  error instanceof Error &&
  ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes((error as Error & { readonly code?: string }).code ?? "");
