import { buildAddon } from "./build.node.js";
import { remember } from "./cache.node.js";
import { findLibtorch } from "./find.node.js";

/** What `installTorch` may be told. */
export interface InstallOptions {
  /** Builds also what is in the cache. */
  readonly force?: boolean;
  /** Takes the lines of the report. */
  readonly write: (line: string) => void;
}

const advice = `Get libtorch in one of these ways, then run this again:
  python3 -m venv .venv && .venv/bin/pip install torch && export VIRTUAL_ENV=$PWD/.venv
  apt-get install libtorch-dev
or name one that is there: LIBTORCH (a directory with include/ and lib/) or KERAS_TORCH_PYTHON (a Python that has torch).`;

/** Finds libtorch, builds the addon for it and remembers that for programs to come. Throws, saying where it looked, when there is none. */
export async function installTorch({ force = false, write }: InstallOptions): Promise<void> {
  const { libtorch, looked } = findLibtorch();
  if (libtorch === null)
    throw new Error(`No libtorch was found.\nLooked at:\n${looked.map((line) => `  ${line}`).join("\n")}\n${advice}`);
  write(`libtorch ${libtorch.version} (${libtorch.from}), libraries in ${libtorch.lib}`);
  const { built, seconds } = await buildAddon(libtorch, { force });
  remember(built);
  write(
    seconds === 0 ? `The addon is built already: ${built.addon}` : `Built ${built.addon} in ${seconds.toFixed(1)} s`,
  );
}
