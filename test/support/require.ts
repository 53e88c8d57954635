import { it } from "vitest";
import { findAddon } from "../../src/backend/torch/native.node.js";
import { findChromium } from "./chromium.js";
import { distProblem } from "./dist.js";
import { python, requirementsFile } from "./python.js";
import type { PythonPackage } from "./python.js";

export { python, runPython } from "./python.js";

/** What a test may need beyond Node and npm: "python" is Python with Keras, the other names are packages in that Python. */
export type Requirement = "python" | "dist" | "chromium" | "libtorch" | Exclude<PythonPackage, "keras">;

const requirements: readonly Requirement[] = [
  "python",
  "dist",
  "chromium",
  "libtorch",
  "numpy",
  "h5py",
  "safetensors",
  "jax",
  "torch",
  "tensorflow",
  "openvino",
];

const install = `python3 -m venv .venv && .venv/bin/pip install -r test/python/requirements.txt, then KERAS_TS_PYTHON=.venv/bin/python`;

/** Says what is missing and how to get it; null when the requirement is met. */
export function missing(requirement: Requirement): string | null {
  if (requirement === "dist") return distProblem();
  if (requirement === "chromium") {
    const install = "apt-get install chromium, or CHROMIUM=<path of Chromium or Chrome>";
    return findChromium() === null ? `needs a browser: ${install}` : null;
  }
  if (requirement === "libtorch") return addonProblem();
  const found = python();
  if (found === null) return `needs Python with Keras: ${install}`;
  if (requirement === "python" || requirement in found.packages) return null;
  return `needs ${requirement} in ${found.path}: pip install -r ${requirementsFile}`;
}

function addonProblem(): string | null {
  try {
    findAddon();
    return null;
  } catch (error) {
    return `needs libtorch: ${(error as Error).message} (in a clone: npm run build:torch)`;
  }
}

/**
 * A test that runs when everything it needs is there, and otherwise is reported as skipped with the reason.
 *
 * KERAS_TS_REQUIRE (names separated by commas, or "all") turns the absence of what it names into a failure: CI sets it.
 */
export function itRequires(
  needs: Requirement | readonly Requirement[],
  name: string,
  fn: () => void | Promise<void>,
  timeout = 120_000,
): void {
  it(
    name,
    async (context) => {
      for (const need of typeof needs === "string" ? [needs] : needs) {
        const reason = missing(need);
        if (reason === null) continue;
        if (isDemanded(need, process.env["KERAS_TS_REQUIRE"]))
          throw new Error(`KERAS_TS_REQUIRE asks for ${need}: ${reason}`);
        context.skip(reason);
      }
      await fn();
    },
    timeout,
  );
}

/** Whether a KERAS_TS_REQUIRE value asks for something; throws for names it does not know. */
export function isDemanded(need: Requirement, value = ""): boolean {
  const demanded = value.split(",").map((name) => name.trim());
  for (const name of demanded) {
    if (name === "" || name === "all" || (requirements as readonly string[]).includes(name)) continue;
    throw new Error(`KERAS_TS_REQUIRE knows ${requirements.join(", ")} and all. Received: ${name}.`);
  }
  return demanded.includes("all") || demanded.includes(need);
}
