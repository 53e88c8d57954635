/**
 * jax-js as a rival: `grad` trains by its own ops and `grad`, `calls` by the calls of the jax engine written by hand. Answers
 * "WORKLOAD STEPS" as bench/protocol.ts says.
 */
import { defaultDevice, init } from "@jax-js/jax";
import { serveWorkloads } from "./protocol.js";

const WARM_UP = 2;
// On Node `init()` without a device looks for a `navigator`, which is not there. Its one-hot and matrix ops look for a Float16Array.
await init("wasm");
defaultDevice("wasm");

type Trainer = (steps: number) => { readonly ms: number }[];
const trainers = new Map<string, Promise<Trainer>>();
async function measure(workload: string, steps: number): Promise<number[]> {
  const module = process.argv[2] === "grad" ? import("./jaxjs-grad.js") : import("./jaxjs-calls.js");
  let trainer = trainers.get(workload);
  if (!trainer) trainers.set(workload, (trainer = module.then(({ trainer }) => trainer(workload))));
  const taken = (await trainer)(steps + WARM_UP).map(({ ms }) => ms);
  return taken.length > WARM_UP ? taken.slice(WARM_UP) : taken.slice(-1);
}

await serveWorkloads({ engine: "jax-js", version: "0.1.25" }, measure);
