/**
 * TensorFlow.js as a rival: `kernels` trains by kernel calls written by hand, `layers` by tfjs-layers' `fit`, both on WebAssembly with one
 * thread. Answers "WORKLOAD STEPS" as bench/protocol.ts says.
 */
import { createRequire } from "node:module";
import path from "node:path";
import * as tf from "@tensorflow/tfjs-core";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import { serveWorkloads } from "./protocol.js";

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

await serveWorkloads({ engine: "tfjs", version: tf.version_core }, measure);
