import type * as jaxJs from "@jax-js/jax";
import { mayBeMissing } from "../may-be-missing.js";

const jax = await import("@jax-js/jax").catch(mayBeMissing);

interface Host {
  readonly KERAS_JAX_DEVICE?: string;
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}
const host = globalThis as Host;
const known = ["wasm", "webgpu"] as const;

/** The device that `globalThis.KERAS_JAX_DEVICE` or the environment variable of that name tells; "wasm" when unset. */
function chooseDevice(): (typeof known)[number] {
  const wanted = host.KERAS_JAX_DEVICE || host.process?.env?.["KERAS_JAX_DEVICE"] || "wasm";
  const device = known.find((name) => name === wanted);
  if (!device) {
    throw new Error(
      `Unknown device of jax-js: ${JSON.stringify(wanted)} (from KERAS_JAX_DEVICE). Expected one of: ${known.join(", ")}.`,
    );
  }
  return device;
}

// On Node `init()` without a device looks for a `navigator`, which is not there.
const device = chooseDevice();
const started = await jax.init(device).catch((cause: unknown) => {
  throw new Error(`jax-js could not start its device "${device}".`, { cause });
});
if (!started.includes(device)) throw new Error(`jax-js could not start its device "${device}": it is not there.`);
jax.defaultDevice(device);

/** What `device()` may call the device in use. */
export const devices = (): readonly string[] => [device === "wasm" ? "cpu" : "gpu", device];

/** An array of jax-js, or its stand-in while a function is traced. */
export type JaxArray = jaxJs.Array;
/** A jax-js function made ready by `jax.jit`: arguments are consumed, results are owned. */
export type Compiled = ((...inputs: JaxArray[]) => JaxArray[]) & { dispose(): void };

/**
 * Compiles a function of arrays; jax-js traces it at its first call. Calls on WebAssembly compute at once: jax-js itself waits until something
 * is read, with the memory of all that waits taken, so that a loop without reading would run out of it.
 */
export function compileFunction(fn: (...inputs: JaxArray[]) => JaxArray[]): Compiled {
  const compiled = jax.jit(fn) as unknown as Compiled;
  if (device !== "wasm") return compiled;
  const run = (...inputs: JaxArray[]): JaxArray[] => {
    const results = compiled(...inputs);
    // All results wait for the same work, which reading one element does.
    const [first] = results;
    if (first) (first.size === 1 ? first.ref : first.ref.reshape([first.size]).slice([0, 1])).dataSync();
    return results;
  };
  return Object.assign(run, { dispose: () => compiled.dispose() });
}

/** Whether `value` is an array of this jax-js, on the device in use. */
export const holds = (value: unknown): value is JaxArray => value instanceof jax.Array && value.device === device;

export const { lax, numpy, random } = jax;
