/**
 * Our half of the benchmark: the same networks, data and protocol as bench/keras_bench.py, which says what is measured.
 *
 * Reads "WORKLOAD STEPS" lines and answers each with a JSON line {"workload", "ms": [...]}.
 */
import * as keras from "keras-ts";
import { callbacks } from "keras-ts";
import { cnn, lstm, mlp, type Network, resnet20 } from "./networks.js";
import { serve } from "./protocol.js";

const WARM_UP = 2;

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
  lstm: (steps) => train(lstm, steps),
  resnet20: (steps) => train(resnet20, steps),
  predict1: (steps) => predictOne(cnn, steps),
  first: (steps) => firstStep(cnn, steps),
};

function compiled({ build }: Network): keras.Model {
  const model = build();
  model.compile({ optimizer: "adam", loss: "sparse_categorical_crossentropy" });
  return model;
}

function data({ shape, batch }: Network, steps: number): { x: keras.NDArray; y: keras.NDArray } {
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

const warmed = new Map<Network, Promise<keras.Model>>();

function warm(network: Network): Promise<keras.Model> {
  let model = warmed.get(network);
  if (!model) warmed.set(network, (model = make()));
  return model;

  async function make(): Promise<keras.Model> {
    const made = compiled(network);
    const { x, y } = data(network, WARM_UP);
    await made.fit(x, y, { batchSize: network.batch, verbose: 0 });
    await made.predict(sample(network), { verbose: 0 });
    return made;
  }
}

function sample(network: Network): keras.NDArray {
  return data({ ...network, batch: 1 }, 1).x;
}

async function train(network: Network, steps: number): Promise<number[]> {
  const model = await warm(network);
  const { x, y } = data(network, steps + WARM_UP + 1);
  const ends = new BatchEnds();
  await model.fit(x, y, { batchSize: network.batch, epochs: 1, verbose: 0, shuffle: false, callbacks: [ends] });
  return ends.times
    .slice(1)
    .map((time, step) => time - ends.times[step]!)
    .slice(WARM_UP);
}

async function predictOne(network: Network, steps: number): Promise<number[]> {
  const model = await warm(network);
  const x = sample(network);
  return timed(steps, () => model.predict(x, { verbose: 0 }));
}

async function firstStep(network: Network, steps: number): Promise<number[]> {
  const { x, y } = data(network, 1);
  return timed(steps, () => compiled(network).fit(x, y, { batchSize: network.batch, epochs: 1, verbose: 0 }));
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

keras.utils.setRandomSeed(1);
await serve(
  { engine: keras.backend.backend(), version: keras.version, workloads: Object.keys(workloads) },
  async (command) => {
    const [workload = "", steps = "1"] = command.split(/\s+/);
    const measure = workloads[workload];
    if (!measure) throw new Error(`No workload ${workload}. There are: ${Object.keys(workloads).join(", ")}.`);
    return { workload, ms: await measure(Number(steps)) };
  },
);
