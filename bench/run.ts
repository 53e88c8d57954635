/**
 * Compares the speed of keras-ts with Python Keras on its engines, measured in turns on the same cores.
 *
 *   KERAS_TS_PYTHON=.venv/bin/python npm run bench -- --rounds 5 --threads 1 --only cnn,mlp --ours numpy --theirs jax,torch,pytorch
 *
 * `pytorch` is PyTorch without Keras, for comparison; it is not among those that the last column takes the fastest of. Nor are `tfjs`,
 * train steps written by hand in kernel calls of TensorFlow.js, `tfjs-layers`, its `fit`, `jaxjs`, train steps written by hand in the calls that
 * the jax engine makes, and `jaxjs-grad`, the same in ops and gradients of jax-js, which run when they are asked for.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { root, Subject } from "./subject.js";
import type { SubjectSpec } from "./subject.js";
import { median, ms, ratio, table } from "./table.js";

/** A subject that can also be imported in a fresh process: by a program that prints the milliseconds it took. */
interface EngineSpec extends SubjectSpec {
  readonly importing: readonly [string, ...string[]];
}

const here = import.meta.dirname;
const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    threads: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    ours: { type: "string", default: "numpy" },
    theirs: { type: "string", default: "" },
    timeout: { type: "string", default: "300" },
  },
});
const rounds = Number(options.rounds);
const threads = Number(options.threads);
const list = (text: string): string[] => text.split(",").filter(Boolean);

/** Steps per round: enough for a steady median in some seconds, for the slowest engine too. */
const steps: Record<string, number> = { cnn: 12, mlp: 30, lstm: 12, resnet20: 6, predict1: 20, first: 1, import: 1 };
const workloads = Object.keys(steps).filter((name) => !options.only || list(options.only).includes(name));

const python = process.env["KERAS_TS_PYTHON"] || "python3";
/** Rivals in JavaScript: the program here that runs them with its argument, and the package behind them. */
const inJavaScript: Record<string, readonly [program: string, mode: string, library: string]> = {
  tfjs: ["tfjs.ts", "kernels", "@tensorflow/tfjs-backend-wasm"],
  "tfjs-layers": ["tfjs.ts", "layers", "@tensorflow/tfjs-backend-wasm"],
  jaxjs: ["jaxjs.ts", "calls", "@jax-js/jax"],
  "jaxjs-grad": ["jaxjs.ts", "grad", "@jax-js/jax"],
};
const specs = [
  ...list(options.ours).map(oursOn),
  ...enginesOfPython().map(theirsOn),
  ...list(options.theirs)
    .filter((name) => Object.hasOwn(inJavaScript, name))
    .map(rivalInJavaScript),
];
const ours = specs.map(({ name }) => name).filter((name) => name.startsWith("keras-ts"));
/** Python Keras's engines, of which the fastest is the one to beat. */
const rivals = specs
  .map(({ name }) => name)
  .filter((name) => !ours.includes(name) && name !== "pytorch" && !Object.hasOwn(inJavaScript, name));
/** Workloads that a subject refused, with what it said. */
const refused = new Map<string, string>();
const times = new Map<string, number[]>();
const versions: Record<string, string> = {};

const subjects: Subject[] = [];
try {
  for (const spec of specs) {
    const { subject, greeting } = await Subject.start(spec, Number(options.timeout) * 1000);
    subjects.push(subject);
    const version = (versions[spec.name] = String(greeting["version"]));
    console.error(`${spec.name}: version ${version}`);
  }
  for (let round = 0; round < rounds; round++) {
    for (const workload of workloads) {
      for (const [index, subject] of subjects.entries()) {
        const taken = workload === "import" ? [importTime(specs[index]!)] : await ask(subject, workload);
        times.set(`${workload} ${subject.spec.name} ${round}`, taken);
      }
    }
    console.error(`round ${round + 1} of ${rounds}`);
  }
} finally {
  for (const subject of subjects) subject.stop();
}

console.log(
  `\nMedian ms (${threads === 1 ? "one thread" : `${threads} threads`}). Ratios are ours to theirs: below 1 ours is faster.\n`,
);
console.log(table([header(), ...workloads.map(row)]));
for (const [key, error] of refused) console.log(`${key}: ${error}`);
console.log(`\nWritten to ${path.relative(process.cwd(), await write())}`);

/** The milliseconds of a workload's steps; none where the subject cannot do it, which it says once. */
async function ask(subject: Subject, workload: string): Promise<number[]> {
  const key = `${workload} ${subject.spec.name}`;
  if (refused.has(key)) return [];
  const { ms, error } = await subject.ask(`${workload} ${steps[workload]}`);
  if (error === undefined) return ms as number[];
  refused.set(key, String(error));
  return [];
}

function header(): string[] {
  const short = (ours: string): string => ours.replace("keras-ts ", "");
  return [
    "workload",
    ...specs.flatMap(({ name }) => [name, ...comparedWith(name).map((ours) => `${short(ours)}/${name}`)]),
    ...(rivals.length > 1 ? ours.map((name) => `${short(name)}/fastest`) : []),
  ];
}

function row(workload: string): string[] {
  const cells = specs.flatMap(({ name }) => [
    ms(median(all(workload, name))),
    ...comparedWith(name).map((ours) => ratio(compare(workload, ours, name))),
  ]);
  if (rivals.length < 2) return [workload, ...cells];
  const fastest = rivals.map((name) => [median(all(workload, name)), name] as const).sort(([a], [b]) => a - b)[0]![1];
  return [workload, ...cells, ...ours.map((name) => `${ratio(compare(workload, name, fastest))} ${fastest}`)];
}

/** Median over the rounds of the quotient of both medians: what slows the machine for a while slows both. */
function compare(workload: string, ours: string, theirs: string): number {
  const of = (name: string, round: number): number => median(times.get(`${workload} ${name} ${round}`) ?? []);
  return median(Array.from({ length: rounds }, (_, round) => of(ours, round) / of(theirs, round)));
}

function all(workload: string, name: string): number[] {
  return Array.from({ length: rounds }, (_, round) => times.get(`${workload} ${name} ${round}`) ?? []).flat();
}

/** Our engines that a column is compared with: all of them beside Python's, none beside our own. */
function comparedWith(name: string): string[] {
  return ours.includes(name) ? [] : ours;
}

function oursOn(engine: string): EngineSpec {
  const pinned = pin([process.execPath, "--import", "tsx", path.join(here, "keras-ts.ts")]);
  const code = `const t = performance.now(); await import("keras-ts"); console.log(performance.now() - t);`;
  const importing = pin([process.execPath, "--input-type=module", "-e", code]);
  return {
    name: `keras-ts ${engine}`,
    command: pinned,
    importing,
    env: { KERAS_BACKEND: engine, KERAS_TORCH_THREADS: String(threads) },
  };
}

function rivalInJavaScript(name: string): EngineSpec {
  const [program, mode, library] = inJavaScript[name]!;
  const code = `const t = performance.now(); await import("${library}"); console.log(performance.now() - t);`;
  return {
    name,
    command: pin([process.execPath, "--import", "tsx", path.join(here, program), mode]),
    importing: pin([process.execPath, "--input-type=module", "-e", code]),
    env: {},
  };
}

function theirsOn(engine: string): EngineSpec {
  const [module, script] = engine === "pytorch" ? ["torch", "pytorch_bench.py"] : ["keras", "keras_bench.py"];
  const code = `import time; t = time.perf_counter(); import ${module}; print((time.perf_counter() - t) * 1e3)`;
  return {
    name: engine,
    command: [python, path.join(here, script), "--threads", String(threads)],
    importing: pin([python, "-c", code]),
    env: { KERAS_BACKEND: engine, TF_CPP_MIN_LOG_LEVEL: "3" },
  };
}

/** Keeps a program on the first cores where the system can; Python's half pins itself. */
function pin(command: [string, ...string[]]): [string, ...string[]] {
  const cores = threads === 1 ? "0" : `0-${threads - 1}`;
  const works = spawnSync("taskset", ["-c", cores, process.execPath, "-e", ""]).status === 0;
  return works ? ["taskset", "-c", cores, ...command] : command;
}

/** Milliseconds that importing Keras takes in a fresh process, without the start of the process. */
function importTime({ name, importing, env }: EngineSpec): number {
  const [program, ...args] = importing;
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: "utf8",
    timeout: Number(options.timeout) * 1000,
  });
  if (status !== 0) throw new Error(`${name} could not be imported:\n${stderr}`);
  return Number(stdout.trim().split("\n").at(-1));
}

/** The engines of Python Keras that are installed, of those asked for, and PyTorch alone when it is. */
function enginesOfPython(): string[] {
  const known = ["torch", "tensorflow", "jax", "pytorch"];
  const wanted = options.theirs ? list(options.theirs).filter((name) => !Object.hasOwn(inJavaScript, name)) : known;
  if (wanted.length === 0) return [];
  const code = `import importlib.util as u, sys; print(*[m for m in sys.argv[1:] if u.find_spec("keras") and u.find_spec({"pytorch": "torch"}.get(m, m))])`;
  const { stdout } = spawnSync(python, ["-c", code, ...wanted], { encoding: "utf8" });
  const found = stdout?.trim().split(" ").filter(Boolean) ?? [];
  if (found.length === 0) console.error(`No Python Keras to compare with: set KERAS_TS_PYTHON (now ${python}).`);
  return found;
}

async function write(): Promise<string> {
  const folder = path.join(here, "results");
  await fs.mkdir(folder, { recursive: true });
  const date = new Date().toISOString();
  const file = path.join(folder, `${date.replace(/[:.]/g, "-")}.json`);
  const machine = { cpu: os.cpus()[0]?.model, cores: os.cpus().length, node: process.version };
  const results = workloads.map((workload) => ({
    workload,
    ms: Object.fromEntries(specs.map(({ name }) => [name, median(all(workload, name))])),
    steps: Object.fromEntries(specs.map(({ name }) => [name, all(workload, name)])),
  }));
  await fs.writeFile(file, `${JSON.stringify({ date, machine, threads, rounds, versions, results }, null, 2)}\n`);
  return file;
}
