/**
 * Compares single ops of keras-ts on the built-in engine, eager and compiled, with NumPy, measured in turns.
 *
 *   KERAS_TS_PYTHON=.venv/bin/python npm run bench:ops -- --rounds 5 --only matmul,sort
 */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { Subject } from "./subject.js";
import { median, ms, ratio, table } from "./table.js";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    timeout: { type: "string", default: "300" },
  },
});
const rounds = Number(options.rounds);
const python = process.env["KERAS_TS_PYTHON"] || "python3";
const here = import.meta.dirname;
const modes = ["numpy", "eager", "jit"] as const;
type Mode = (typeof modes)[number];

interface Sample {
  readonly cpu: readonly number[];
  readonly wall: readonly number[];
}

const folder = await fs.mkdtemp(path.join(os.tmpdir(), "bench-ops-"));
const subjects: Subject[] = [];
const samples = new Map<string, Sample>();
const keyOf = (op: string, mode: Mode, round: number): string => `${mode} ${op} ${round}`;
let ops: string[] = [];
let work: Readonly<Record<string, number>> = {};
let versions: Readonly<Record<string, unknown>> = {};
try {
  const [theirs, ours] = await startBoth();
  const wanted = options.only.split(",").filter(Boolean);
  ops = Object.keys(work).filter((op) => wanted.length === 0 || wanted.some((part) => op.includes(part)));
  const by = { numpy: theirs, eager: ours, jit: ours };
  for (let round = 0; round < rounds; round++) {
    for (const op of ops)
      for (const mode of modes)
        samples.set(keyOf(op, mode, round), (await by[mode].ask(`${mode} ${op}`)) as unknown as Sample);
    console.error(`round ${round + 1} of ${rounds}`);
  }
} finally {
  for (const subject of subjects) subject.stop();
  await fs.rm(folder, { recursive: true, force: true });
}

console.log(
  "\nMedian ms of CPU time on one thread, 2^20 float32 elements unless a size is named. Ratios are ours to NumPy's: below 1 ours is faster.\n",
);
console.log(
  table([["op", "NumPy", "eager", "ratio", "jit", "ratio", "wall", "GFLOP/s: NumPy", "eager", "jit"], ...ops.map(row)]),
);
const slow = ops.filter((op) => Math.max(compare(op, "eager"), compare(op, "jit")) > 4);
console.log(`\nMore than 4x NumPy: ${slow.join(", ") || "none"}`);
console.log(`Written to ${path.relative(process.cwd(), await write())}`);

/** Both processes, ready, with an op list they share. */
async function startBoth(): Promise<[theirs: Subject, ours: Subject]> {
  const outfile = path.join(folder, "ops.mjs");
  const entryPoints = [path.join(here, "ops-ours.ts")];
  // As a bundler would make it: what runs .ts files directly wraps functions, which small ops would pay for.
  await build({
    entryPoints,
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["source"],
    target: "es2022",
  });
  const timeout = Number(options.timeout) * 1000;
  // Choices made by hand would slow NumPy on a processor they are not for.
  const env = { OPENBLAS_CORETYPE: undefined, OPENBLAS_L2_SIZE: undefined };
  const numpy = await Subject.start(
    { name: "numpy", command: [python, path.join(here, "numpy_ops.py")], env },
    timeout,
  );
  subjects.push(numpy.subject);
  const ours = await Subject.start(
    { name: "keras-ts", command: [process.execPath, outfile], env: { KERAS_BACKEND: "numpy" } },
    timeout,
  );
  subjects.push(ours.subject);
  const known = numpy.greeting["ops"] as string[];
  work = Object.fromEntries(
    Object.entries(ours.greeting["work"] as Record<string, number>).filter(([op]) => known.includes(op)),
  );
  versions = { ours: ours.greeting["version"], theirs: numpy.greeting["version"], kernel: numpy.greeting["kernel"] };
  console.error(
    `keras-ts ${String(versions["ours"])}; ${String(versions["theirs"])} with OpenBLAS's ${String(versions["kernel"])} kernels`,
  );
  return [numpy.subject, ours.subject];
}

function timeOf(op: string, mode: Mode, clock: keyof Sample = "cpu"): number {
  return median(
    Array.from({ length: rounds }, (_, round) => median(samples.get(keyOf(op, mode, round))?.[clock] ?? [])),
  );
}

/** Median over the rounds of the quotient of both medians: what slows the machine for a while slows both. */
function compare(op: string, mode: Mode, clock: keyof Sample = "cpu"): number {
  const of = (m: Mode, round: number): number => median(samples.get(keyOf(op, m, round))?.[clock] ?? []);
  return median(Array.from({ length: rounds }, (_, round) => of(mode, round) / of("numpy", round)));
}

function row(op: string): string[] {
  const speed = (mode: Mode): string => (work[op] ? (work[op] / timeOf(op, mode) / 1e6).toFixed(1) : "");
  return [
    op,
    small(timeOf(op, "numpy")),
    small(timeOf(op, "eager")),
    ratio(compare(op, "eager")),
    small(timeOf(op, "jit")),
    ratio(compare(op, "jit")),
    ratio(compare(op, "eager", "wall")),
    ...modes.map(speed),
  ];
}
function small(time: number): string {
  return time < 0.1 ? time.toFixed(5) : ms(time);
}

async function write(): Promise<string> {
  const results = path.join(here, "results");
  await fs.mkdir(results, { recursive: true });
  const date = new Date().toISOString();
  const file = path.join(results, `ops-${date.replace(/[:.]/g, "-")}.json`);
  const machine = { cpu: os.cpus()[0]?.model, cores: os.cpus().length, node: process.version };
  const measured = ops.map((op) => ({
    op,
    cpu: Object.fromEntries(modes.map((mode) => [mode, timeOf(op, mode)])),
    wall: Object.fromEntries(modes.map((mode) => [mode, timeOf(op, mode, "wall")])),
    ratio: { eager: compare(op, "eager"), jit: compare(op, "jit") },
  }));
  await fs.writeFile(file, `${JSON.stringify({ date, machine, rounds, versions, results: measured }, null, 2)}\n`);
  return file;
}
