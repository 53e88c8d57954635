/// <reference lib="esnext.disposable" preserve="true" />
import type { TensorSpec } from "./dtype.js";
import type { ForeignModules } from "./foreign-modules.js";
import type { Adopted, ForeignArray } from "./foreign.js";
import type { NDArray } from "./ndarray.js";
import type { Program } from "./program.js";

/** The engine's own tensor; opaque to everybody else. */
export type Handle = unknown;

/**
 * A Program made ready to run. Inputs are borrowed, outputs are owned by the caller. Those at the positions `spent` will be disposed after
 * the run, so an engine may write over their memory, or make their handles those of results, where nobody else refers to them; a run that
 * fails may leave them without values.
 */
export interface Executable {
  run(inputs: readonly Handle[], spent?: readonly number[]): Handle[];
  /** Runs without blocking the event loop, where the engine can. */
  runAsync?(inputs: readonly Handle[], spent?: readonly number[]): Promise<Handle[]>;
  /** Frees what the compiled form holds. */
  dispose(): void;
}

/** What the core needs from an engine; `backend/backend.ts` types its tables. Arguments are borrowed, results are owned. */
export interface Engine {
  readonly name: string;
  /** Whether Executables have a `runAsync` that works off the main thread. */
  readonly runsInBackground?: boolean;
  /** Names of the device that it computes on, for `device()`; "cpu" when absent. */
  devices?(): readonly string[];
  /** Has what is made from now on made on one of `devices()`, until the result is disposed; absent where there is one device. */
  enterDevice?(name: string): Disposable;
  /** Runs one primitive eagerly; `outputs` are the specs its rule gave. */
  execute(primitive: string, inputs: readonly Handle[], attributes: object, outputs: readonly TensorSpec[]): Handle[];
  /** Runs a composite op natively, or returns null when the engine has no version of its own for these arguments. */
  executeComposite?(
    name: string,
    inputs: readonly Handle[],
    attributes: object,
    outputs: readonly TensorSpec[],
  ): Handle[] | null;
  /** Whether the engine has a native version of the composite. */
  hasComposite?(name: string): boolean;
  /** Modules of another library; absent when the engine runs none. */
  readonly foreignModules?: ForeignModules;
  fromHost(array: NDArray): Handle;
  /**
   * A reference to the values of an array of the library that the engine stands on, without a copy; null for any other array and for
   * element types that tensors do not have. The array stays its owner's, who may free it before the handle.
   */
  adopt?(array: ForeignArray): Adopted | null;
  toHost(handle: Handle): NDArray | Promise<NDArray>;
  /** The only element of a value that has one, as a number; absent where that costs as much as `toHost`. */
  item?(handle: Handle): number;
  /** Another owned reference to the same values. */
  share(handle: Handle): Handle;
  dispose(handle: Handle): void;
  compile(program: Program): Executable;
}

let bound: Engine | null = null;
let used = false;

/** The engine that runs everything. Throws when none has been bound. */
export function engine(): Engine {
  if (!bound) throw new Error('No backend is bound. Import "keras-ts" (or "keras-ts/backend") before making tensors.');
  used = true;
  return bound;
}
/** Binds the engine; refused once a tensor was made, because tensors of two engines cannot meet. */
export function bindEngine(next: Engine): void {
  if (used && bound && bound !== next) {
    throw new Error(
      `The backend is already in use: tensors were made on "${bound.name}", so it cannot change to "${next.name}". ` +
        "Set KERAS_BACKEND, or call keras.config.setBackend() before the first tensor, layer or model is made.",
    );
  }
  bound = next;
}
/** Whether the bound engine has been asked for, so that tensors of it may exist. */
export const isEngineInUse = (): boolean => used;
/** Name of the bound engine, without counting as its use; null before one is bound. */
export const boundEngineName = (): string | null => bound?.name ?? null;
