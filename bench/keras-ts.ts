/**
 * Our half of the benchmark: the same networks, data and protocol as bench/keras_bench.py, which says what is measured.
 *
 * Reads "WORKLOAD STEPS" lines and answers each with a JSON line {"workload", "ms": [...]}.
 */
import readline from "node:readline";
import * as keras from "keras-ts";
import { callbacks, layers } from "keras-ts";

const WARM_UP = 2;

interface Spec {
  readonly shape: readonly number[];
  readonly batch: number;
  readonly build: () => layers.Layer[];
}

const cnn: Spec = {
  shape: [28, 28, 1],
  batch: 128,
  build: () => [
    new layers.Conv2D(32, 3, { activation: "relu" }),
    new layers.MaxPooling2D(),
    new layers.Conv2D(64, 3, { activation: "relu" }),
    new layers.GlobalAveragePooling2D(),
    new layers.Dense(10, { activation: "softmax" }),
  ],
};

const mlp: Spec = {
  shape: [784],
  batch: 128,
  build: () => [
    new layers.Dense(512, { activation: "relu" }),
    new layers.Dense(512, { activation: "relu" }),
    new layers.Dense(10, { activation: "softmax" }),
  ],
};

/** When each batch ended: the time between two ends holds all that fit does for a step. */
class BatchEnds extends callbacks.Callback {
  readonly times: number[] = [];

  override onTrainBatchEnd(): void {
    this.times.push(performance.now());
  }
}

const workloads: Record<string, (steps: number) => Promise<number[]>> = {
  cnn: (steps) => train(cnn, steps),
  mlp: (steps) => train(mlp, steps),
  predict1: (steps) => predictOne(cnn, steps),
  first: (steps) => firstStep(cnn, steps),
};

function compiled({ shape, build }: Spec): keras.Sequential {
  const model = new keras.Sequential([keras.Input({ shape }), ...build()]);
  model.compile({ optimizer: "adam", loss: "sparse_categorical_crossentropy" });
  return model;
}

function data({ shape, batch }: Spec, steps: number): { x: keras.NDArray; y: keras.NDArray } {
  const count = batch * steps;
  const size = shape.reduce((product, extent) => product * extent, count);
  const x = Float32Array.from({ length: size }, () => normal());
  const y = Int32Array.from({ length: count }, () => Math.floor(Math.random() * 10));
  return { x: new keras.NDArray(x, [count, ...shape], "float32"), y: new keras.NDArray(y, [count], "int32") };
}

/** One draw from the standard normal distribution (Box and Muller, 1958). */
function normal(): number {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
}

const warmed = new Map<Spec, Promise<keras.Sequential>>();

function warm(spec: Spec): Promise<keras.Sequential> {
  let model = warmed.get(spec);
  if (!model) warmed.set(spec, (model = make()));
  return model;

  async function make(): Promise<keras.Sequential> {
    const made = compiled(spec);
    const { x, y } = data(spec, WARM_UP);
    await made.fit(x, y, { batchSize: spec.batch, verbose: 0 });
    await made.predict(sample(spec), { verbose: 0 });
    return made;
  }
}

function sample(spec: Spec): keras.NDArray {
  return data({ ...spec, batch: 1 }, 1).x;
}

async function train(spec: Spec, steps: number): Promise<number[]> {
  const model = await warm(spec);
  const { x, y } = data(spec, steps + WARM_UP + 1);
  const ends = new BatchEnds();
  await model.fit(x, y, { batchSize: spec.batch, epochs: 1, verbose: 0, shuffle: false, callbacks: [ends] });
  return ends.times
    .slice(1)
    .map((time, step) => time - ends.times[step]!)
    .slice(WARM_UP);
}

async function predictOne(spec: Spec, steps: number): Promise<number[]> {
  const model = await warm(spec);
  const x = sample(spec);
  return timed(steps, () => model.predict(x, { verbose: 0 }));
}

async function firstStep(spec: Spec, steps: number): Promise<number[]> {
  const { x, y } = data(spec, 1);
  return timed(steps, () => compiled(spec).fit(x, y, { batchSize: spec.batch, epochs: 1, verbose: 0 }));
}

async function timed(steps: number, run: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let step = 0; step < steps; step++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return times;
}

const say = (answer: object): void => console.log(JSON.stringify(answer));

keras.utils.setRandomSeed(1);
say({ engine: keras.backend.backend(), version: keras.version, workloads: Object.keys(workloads) });
for await (const line of readline.createInterface({ input: process.stdin })) {
  const [workload = "", steps = "1"] = line.trim().split(/\s+/);
  const measure = workloads[workload];
  if (!measure) throw new Error(`No workload ${workload}. There are: ${Object.keys(workloads).join(", ")}.`);
  say({ workload, ms: await measure(Number(steps)) });
}
