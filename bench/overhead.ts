/**
 * What our TypeScript adds to the engine's own work: `KERAS_BACKEND=torch npm run bench:overhead -- --only mlp,predict1 --steps 200`.
 * A step is timed as in keras-ts.ts; within it, the calls by which the engine runs compiled Programs. The rest is ours.
 */
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import * as keras from "keras-ts";
import { callbacks } from "keras-ts";
import type { Addon } from "../src/backend/torch/addon.js";
import type { Engine, Executable } from "../src/core/engine.js";
import { cnn, mlp, type Network, resnet20 } from "./networks.js";
import { median, ms, table } from "./table.js";

const { values: options } = parseArgs({
  options: { only: { type: "string", default: "" }, steps: { type: "string", default: "" } },
});

// Looked up once: Node makes the global when it is asked for, and what that takes would count as ours.
const now = performance.now.bind(performance);

/** Milliseconds inside the engine's calls so far, by what they do. */
const spent = { running: 0, moving: 0 };
type Part = keyof typeof spent;

/** One step: all of it, and the parts inside the engine. */
interface Sample extends Readonly<Record<Part, number>> {
  readonly step: number;
}

/** `fn`, with its time added to a part. What throws is not measured. */
function timed<A extends readonly unknown[], R>(part: Part, fn: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    const start = now();
    const result = fn(...args);
    spent[part] += now() - start;
    return result;
  };
}

/** Takes the time of the calls that run Programs, and of those that move data: on libtorch those of its addon, else the engine's. */
async function watch(name: string): Promise<void> {
  const { default: engine } = (await import(`keras-ts/backend/${name}`)) as { default: Writable<Engine> };
  if (name === "torch") {
    const { cache } = createRequire(import.meta.url);
    const module = Object.values(cache).find((each) => each?.filename.endsWith(".node"));
    const addon = module!.exports as Addon;
    addon.run = timed("running", addon.run);
    addon.fromHost = timed("moving", addon.fromHost);
    addon.toHost = timed("moving", addon.toHost);
    addon.item = timed("moving", addon.item);
    return;
  }
  const { compile } = engine;
  engine.compile = (program): Executable => {
    const executable = compile(program);
    return Object.assign(executable, { run: timed("running", executable.run.bind(executable)) });
  };
  engine.fromHost = timed("moving", engine.fromHost.bind(engine));
  engine.toHost = timed("moving", engine.toHost.bind(engine));
  if (engine.item) engine.item = timed("moving", engine.item.bind(engine));
}
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Takes the time between its laps. Writes numbers down and nothing else, because that counts as ours. */
class Stopwatch {
  /** Later laps are not taken down. */
  readonly #laps = new Float64Array(3 * 100_000);
  #end = 0;

  lap(): void {
    this.#laps[this.#end++] = now();
    this.#laps[this.#end++] = spent.running;
    this.#laps[this.#end++] = spent.moving;
  }
  get samples(): Sample[] {
    const samples: Sample[] = [];
    for (let i = 3; i < Math.min(this.#end, this.#laps.length); i += 3) {
      const [step, running, moving] = [0, 1, 2].map((k) => this.#laps[i + k]! - this.#laps[i + k - 3]!);
      samples.push({ step: step!, running: running!, moving: moving! });
    }
    return samples;
  }
}
class BatchEnds extends callbacks.Callback {
  readonly watch = new Stopwatch();

  override onTrainBatchEnd(): void {
    this.watch.lap();
  }
  override onTestBatchEnd(): void {
    this.watch.lap();
  }
}

const WARM_UP = 20;
/** Batches that are gone through again and again: data of many would take longer to make than to train on. */
const BATCHES = 10;

function compiled({ build }: Network): keras.Model {
  const model = build();
  model.compile({ optimizer: "adam", loss: "sparse_categorical_crossentropy" });
  return model;
}
function data({ shape }: Network, count: number): { x: keras.NDArray; y: keras.NDArray } {
  const size = shape.reduce((product, extent) => product * extent, count);
  let state = 1;
  const x = Float32Array.from({ length: size }, () => (state = (Math.imul(state, 1664525) + 1013904223) | 0) / 2 ** 31);
  const y = Int32Array.from({ length: count }, (_, i) => i % 10);
  return { x: new keras.NDArray(x, [count, ...shape], "float32"), y: new keras.NDArray(y, [count], "int32") };
}

/** Steps of `fit`, without those between two epochs. */
async function train(network: Network, steps: number): Promise<Sample[]> {
  const model = compiled(network);
  const { x, y } = data(network, network.batch * BATCHES);
  const fit = async (batches: number): Promise<Sample[]> => {
    const ends = new BatchEnds();
    const epochs = Math.ceil(batches / BATCHES);
    await model.fit(x, y, { batchSize: network.batch, epochs, verbose: 0, shuffle: false, callbacks: [ends] });
    return ends.watch.samples.filter((_, i) => (i + 1) % BATCHES !== 0);
  };
  await fit(WARM_UP);
  return fit(steps);
}
/** Steps of `evaluate`. */
async function evaluate(network: Network, steps: number): Promise<Sample[]> {
  const model = compiled(network);
  const { x, y } = data(network, network.batch * BATCHES);
  const samples: Sample[] = [];
  for (let done = -WARM_UP; done < steps; done += BATCHES) {
    const ends = new BatchEnds();
    await model.evaluate(x, y, { batchSize: network.batch, verbose: 0, callbacks: [ends] });
    if (done >= 0) samples.push(...ends.watch.samples);
  }
  return samples;
}
/** Calls, each of which is a step. */
async function calls(steps: number, call: () => Promise<unknown>): Promise<Sample[]> {
  for (let i = 0; i < WARM_UP; i++) await call();
  const watch = new Stopwatch();
  watch.lap();
  for (let i = 0; i < steps; i++) {
    await call();
    watch.lap();
  }
  return watch.samples;
}
function onBatch(network: Network, steps: number): Promise<Sample[]> {
  const model = compiled(network);
  const { x, y } = data(network, network.batch);
  return calls(steps, () => model.trainOnBatch(x, y));
}
function predictOne(network: Network, steps: number): Promise<Sample[]> {
  const model = compiled(network);
  const { x } = data(network, 1);
  return calls(steps, () => model.predict(x, { verbose: 0 }));
}

const workloads: Record<string, readonly [steps: number, measure: (steps: number) => Promise<Sample[]>]> = {
  cnn: [150, (steps) => train(cnn, steps)],
  mlp: [500, (steps) => train(mlp, steps)],
  resnet20: [100, (steps) => train(resnet20, steps)],
  evaluate: [500, (steps) => evaluate(mlp, steps)],
  onBatch: [500, (steps) => onBatch(mlp, steps)],
  predict1: [1000, (steps) => predictOne(cnn, steps)],
};

const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;
/** The tenth percentile: what a step takes when nobody else is at work. */
const fast = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 10)]!;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** TypeScript's share of the engine's work, without and with the copies, by one kind of average. */
function shares(samples: readonly Sample[], average: (values: readonly number[]) => number): string[] {
  const running = average(samples.map((sample) => sample.running));
  return [script, ours].map((part) => percent(average(samples.map(part)) / running));
}
const ours = ({ step, running }: Sample): number => step - running;
const script = (sample: Sample): number => ours(sample) - sample.moving;

function row(name: string, samples: readonly Sample[]): string[] {
  return [
    name,
    ms(median(samples.map(({ step }) => step))),
    ms(median(samples.map(({ running }) => running))),
    median(samples.map(script)).toFixed(3),
    median(samples.map(({ moving }) => moving)).toFixed(3),
    ...[median, fast, mean].flatMap((average) => shares(samples, average)),
  ];
}
const sharesOf = ["share", "fast", "means"].flatMap((name) => [name, "with copies"]);
const header = ["workload", "step", "engine runs", "TypeScript", "copies", ...sharesOf];

keras.utils.setRandomSeed(1);
await watch(keras.backend.backend());
const rows = [header];
for (const [name, [steps, measure]] of Object.entries(workloads))
  if (!options.only || options.only.split(",").includes(name))
    rows.push(row(name, await measure(Number(options.steps || steps))));
console.log(`Median ms of a step on ${keras.backend.backend()}, and what is ours beside the engine's runs.\n`);
console.log(table(rows));
