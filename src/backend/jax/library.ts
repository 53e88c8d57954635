import type * as jaxJs from "@jax-js/jax";
import { mayBeMissing } from "../may-be-missing.js";

const jax = await import("@jax-js/jax").catch(mayBeMissing);

// On Node `init()` without a device looks for a `navigator`, which is not there.
await jax.init("wasm");
jax.defaultDevice("wasm");

/** An array of jax-js, or its stand-in while a function is traced. */
export type JaxArray = jaxJs.Array;
/** A jax-js function made ready by `jax.jit`: arguments are consumed, results are owned. */
export type Compiled = ((...inputs: JaxArray[]) => JaxArray[]) & { dispose(): void };

/** Compiles a function of arrays; jax-js traces it at its first call. */
export const compileFunction = (fn: (...inputs: JaxArray[]) => JaxArray[]): Compiled =>
  jax.jit(fn) as unknown as Compiled;

export const { lax, numpy, random } = jax;
