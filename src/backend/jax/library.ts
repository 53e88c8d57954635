import type * as jaxJs from "@jax-js/jax";
import { mayBeMissing } from "../may-be-missing.js";

const jax = await import("@jax-js/jax").catch(mayBeMissing);

interface Host {
  readonly KERAS_JAX_DEVICE?: string;
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}
const host = globalThis as Host;
const devices = ["wasm", "webgpu"] as const;

/** The device that `globalThis.KERAS_JAX_DEVICE` or the environment variable of that name tells; "wasm" when unset. */
function chooseDevice(): (typeof devices)[number] {
  const wanted = host.KERAS_JAX_DEVICE || host.process?.env?.["KERAS_JAX_DEVICE"] || "wasm";
  const device = devices.find((name) => name === wanted);
  if (!device) {
    throw new Error(
      `Unknown device of jax-js: ${JSON.stringify(wanted)} (from KERAS_JAX_DEVICE). Expected one of: ${devices.join(", ")}.`,
    );
  }
  return device;
}

// On Node `init()` without a device looks for a `navigator`, which is not there.
const device = chooseDevice();
const started = await jax.init(device);
if (!started.includes(device)) throw new Error(`jax-js: the device "${device}" could not be initialized.`);
jax.defaultDevice(device);

/** An array of jax-js, or its stand-in while a function is traced. */
export type JaxArray = jaxJs.Array;
/** A jax-js function made ready by `jax.jit`: arguments are consumed, results are owned. */
export type Compiled = ((...inputs: JaxArray[]) => JaxArray[]) & { dispose(): void };

/** Compiles a function of arrays; jax-js traces it at its first call. */
export const compileFunction = (fn: (...inputs: JaxArray[]) => JaxArray[]): Compiled =>
  jax.jit(fn) as unknown as Compiled;

/** Whether `value` is an array of this jax-js, on the device in use. */
export const holds = (value: unknown): value is JaxArray => value instanceof jax.Array && value.device === device;

export const { lax, numpy, random } = jax;
