import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { run } from "./child.js";
import { root } from "./dist.js";

/** The package as a user gets it: packed, and installed in a project of its own. */
export interface Installed {
  /** The user's project; node_modules/keras-ts is a plain folder in it. */
  readonly project: string;
  /** Files inside the tarball. */
  readonly packed: readonly string[];
}

/** Packs the repository and installs the tarball in a fresh project, without a network. */
export async function installPacked(): Promise<Installed> {
  const project = await fs.mkdtemp(path.join(os.tmpdir(), "keras-ts-pack-"));
  const npm = (args: string[], cwd: string): Promise<string> => run("npm", args, { cwd });
  const [pack] = JSON.parse(await npm(["pack", "--json", "--ignore-scripts", "--pack-destination", project], root));
  await fs.writeFile(
    path.join(project, "package.json"),
    JSON.stringify({ name: "user", private: true, type: "module" }),
  );
  const flags = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await npm(["install", ...flags, path.join(project, pack.filename)], project);
  return { project, packed: (pack.files as { path: string }[]).map((file) => file.path) };
}

/** Runs an ES module given as text, in a folder, and parses the JSON that it prints. */
export async function evaluate<T>(cwd: string, code: string, flags: readonly string[] = []): Promise<T> {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "keras-ts-home-"));
  try {
    const printed = await run(process.execPath, [...flags, "--input-type=module", "-e", code], {
      cwd,
      env: { KERAS_HOME: home, KERAS_BACKEND: undefined, NODE_OPTIONS: undefined },
    });
    return JSON.parse(printed) as T;
  } finally {
    await fs.rm(home, { recursive: true, force: true });
  }
}
