import type { DType, Shape } from "../../../core/dtype.js";
import type { NDArray } from "../../../core/ndarray.js";
import type { Emit } from "./elementwise.js";
import type { Root, View } from "./view.js";

/** A value that is the same everywhere: it needs no memory. */
export interface Splat {
  readonly splat: number;
  readonly dtype: DType;
  readonly shape: Shape;
}
export type Operand = View | Splat;
export const isSplat = (x: Operand): x is Splat => "splat" in x;

/** One elementwise op over `output.size` elements; operands are read at `shape`. */
export interface Elementwise {
  readonly kind: "elementwise";
  readonly name: string;
  readonly shape: Shape;
  readonly operands: readonly Operand[];
  readonly output: Root;
  readonly emit: Emit;
}

/** Where roots lie while a program runs. */
export interface Addresses {
  /** Byte address by root id. */
  readonly of: Float64Array;
}
/** What a step does each time the program runs. */
export type Run = () => void;

/** An instruction that is not elementwise: reads views, writes whole roots. */
export interface Step {
  readonly kind: "step";
  readonly name: string;
  readonly reads: readonly View[];
  readonly writes: readonly Root[];
  /** Memory it needs only while it runs. */
  readonly scratch?: readonly Root[];
  /** A read whose memory the single write may take over, where nothing reads it afterwards. */
  readonly inPlace?: View;
  readonly prepare: (addresses: Addresses) => Run;
}
export type Item = Elementwise | Step;

/** A unit of the schedule: one step, or elementwise ops that run as one chain. */
export interface Unit {
  readonly items: readonly Item[];
}

export interface ConstantRoot {
  readonly root: Root;
  readonly array: NDArray;
}

/** A program inside a program, ready to run on addresses. */
export interface NestedPlan {
  /** Bytes of memory for temporaries that a run needs. */
  readonly arenaBytes: number;
  /** Runs with temporaries at `base`, and writes all results to the given addresses. */
  executeInto(base: number, inputs: readonly number[], results: readonly number[]): void;
}
