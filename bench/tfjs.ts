/**
 * TensorFlow.js as a rival: `kernels` trains by kernel calls written by hand, `layers` by tfjs-layers' `fit`, both on WebAssembly with one
 * thread. The protocol is that of bench/keras-ts.ts; a workload that throws answers {"workload", "error"}.
 */
import { createRequire } from "node:module";
import path from "node:path";
import readline from "node:readline";
import * as tf from "@tensorflow/tfjs-core";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";

const WARM_UP = 2;
const main = createRequire(import.meta.url).resolve("@tensorflow/tfjs-backend-wasm");
setWasmPaths(path.dirname(main) + path.sep);
await tf.setBackend("wasm");

type Trainer = (steps: number) => Promise<number[]>;
async function makeTrainer(name: string): Promise<Trainer> {
  if (process.argv[2] === "layers") return (await import("./tfjs-layers.js")).trainer(name);
  const train = (await import("./tfjs-kernels.js")).trainer(name);
  return async (steps) => train(steps).map(({ ms }) => ms);
}
const trainers = new Map<string, Promise<Trainer>>();
async function measure(workload: string, steps: number): Promise<number[]> {
  if (!trainers.has(workload)) trainers.set(workload, makeTrainer(workload));
  const train = await trainers.get(workload)!;
  return (await train(steps + WARM_UP)).slice(WARM_UP);
}

const say = (answer: object): void => console.log(JSON.stringify(answer));
say({ engine: "tfjs", version: tf.version_core });
for await (const line of readline.createInterface({ input: process.stdin })) {
  const [workload = "", steps = "1"] = line.trim().split(/\s+/);
  try {
    say({ workload, ms: await measure(workload, Number(steps)) });
  } catch (error) {
    say({ workload, error: String(error) });
  }
}
