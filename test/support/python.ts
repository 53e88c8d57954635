import { spawnSync } from "node:child_process";
import path from "node:path";
import { run } from "./child.js";
import type { ChildOptions } from "./child.js";

/** A Python interpreter in which Keras is installed. */
export interface Python {
  readonly path: string;
  /** The version of Keras. */
  readonly version: string;
  /** Installed packages by name, of those the tests ask for. */
  readonly packages: Readonly<Record<string, string>>;
}

/** What tests may ask of the interpreter besides Keras: distributions by the name of their module. */
const pythonPackages = {
  keras: ["keras"],
  numpy: ["numpy"],
  h5py: ["h5py"],
  safetensors: ["safetensors"],
  jax: ["jax"],
  torch: ["torch"],
  tensorflow: ["tensorflow", "tensorflow-cpu"],
  openvino: ["openvino"],
} satisfies Record<string, readonly string[]>;

export type PythonPackage = keyof typeof pythonPackages;

export const requirementsFile = path.resolve(import.meta.dirname, "../python/requirements.txt");

// Reads metadata only: importing Keras would cost seconds in every test file.
const probe = `
import importlib.metadata as metadata, json, sys
found = {}
for module, names in json.loads(sys.argv[1]).items():
    for name in names:
        try:
            found[module] = metadata.version(name)
            break
        except metadata.PackageNotFoundError:
            pass
print(json.dumps(found))
`;

let known: Python | null | undefined;

/** The interpreter named by KERAS_TS_PYTHON, else `python3`; null when there is none with Keras installed. */
export function python(): Python | null {
  if (known === undefined) known = find(command());
  return known;
}

/** Runs Python code with real Keras on the given engine and returns what it printed. */
export function runPython(
  code: string,
  { backend = "jax", args = [], env, ...options }: ChildOptions & { backend?: string; args?: readonly string[] } = {},
): Promise<string> {
  const found = python();
  if (found === null) throw new Error("No Python with Keras was found. Guard the test with itRequires.");
  const quiet = { KERAS_BACKEND: backend, TF_CPP_MIN_LOG_LEVEL: "3", PYTHONWARNINGS: "ignore" };
  return run(found.path, ["-c", code, ...args], { ...options, env: { ...quiet, ...env } });
}

/** A path is made absolute, since tests run Python in other folders too; a bare name is looked up in PATH. */
function command(): string {
  const named = process.env["KERAS_TS_PYTHON"] || "python3";
  return named.includes(path.sep) ? path.resolve(named) : named;
}

function find(command: string): Python | null {
  const { status, stdout } = spawnSync(command, ["-c", probe, JSON.stringify(pythonPackages)], {
    encoding: "utf8",
    timeout: 20_000,
  });
  if (status !== 0) return null;
  const packages = JSON.parse(stdout) as Record<string, string>;
  const version = packages["keras"];
  return version === undefined ? null : { path: command, version, packages };
}
