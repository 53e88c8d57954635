import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import type { Addon } from "./addon.js";
import { type BuiltAddon, recall, stateOf } from "./install/cache.node.js";
import { sourceHash } from "./install/sources.node.js";

const command = "npx keras-ts install-torch";

/**
 * How often an OpenMP thread of GCC looks for work before it sleeps. The default spins for milliseconds, which on a busy
 * machine takes the processor from those who have work; sleeping at once makes small ops wait for threads to wake.
 */
const spinCount = "20000";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Loads the native addon that was built before, and with it libtorch. Throws as `findAddon` does, and when the system
 * cannot load it. Nothing is fetched or built here.
 */
export function loadAddon(env: Env = process.env): Addon {
  const file = findAddon(env);
  // libgomp reads the environment when it is loaded. Whoever has chosen a policy keeps it.
  if (env["GOMP_SPINCOUNT"] === undefined && env["OMP_WAIT_POLICY"] === undefined) {
    process.env["GOMP_SPINCOUNT"] = spinCount;
  }
  try {
    return createRequire(import.meta.url)(file) as Addon;
  } catch (cause) {
    throw new Error(
      `The torch engine's addon ${file} does not load: ${(cause as Error).message}. If a library is missing, install it or name its directory in LD_LIBRARY_PATH; else build the addon again: ${command} --force`,
      { cause },
    );
  }
}

/**
 * The addon's file: what `KERAS_TORCH_ADDON` names, else what was built for this user. Throws, with the command that
 * builds it, when there is none or when libtorch or keras-ts have changed since.
 */
export function findAddon(env: Env = process.env): string {
  return env["KERAS_TORCH_ADDON"] || checked(recall(env));
}

function checked(built: BuiltAddon | null): string {
  const advice = `Build it with: ${command}`;
  if (built === null || !existsSync(built.addon))
    throw new Error(`The torch engine runs libtorch through a native addon, which is not built yet. ${advice}`);
  if (!existsSync(built.library))
    throw new Error(`The libtorch that the torch engine was built with is gone: ${built.library}. ${advice}`);
  if (built.libraryState !== stateOf(built.library))
    throw new Error(`libtorch has changed since the torch engine's addon was built: ${built.library}. ${advice}`);
  if (built.sources !== sourceHash())
    throw new Error(`The torch engine's addon was built for another version of keras-ts. ${advice}`);
  return built.addon;
}
