import type { ScriptAddon } from "./script.js";

/**
 * Number of a tensor in the addon's table. Positive and of 31 bits; a slot that was freed, or that another thread made,
 * is refused. `noSlot` stands for "no tensor".
 */
export type Slot = number;

/** What stands for an undefined tensor among results: gradients that were not asked for, for instance. */
export const noSlot: Slot = 0;

/**
 * Argument of an op. What it becomes is decided by the op's schema:
 * - tensors are slots, lists of tensors arrays of slots, with null for an absent one where the schema has `Tensor?[]`;
 * - `undefined` is the schema's default, `null` is None;
 * - a number for a `Scalar` is an integer if it has an integral value (and is not -0), a bigint always is one;
 * - ScalarType, Layout and MemoryFormat are their numbers in libtorch, Device a string ("cpu", "cuda:0");
 * - a Generator is given by its seed, a number.
 */
export type Argument = Slot | number | boolean | bigint | string | null | undefined | ArgumentList;

/** List in an argument: ints, floats, bools, or slots (null: no tensor). */
export type ArgumentList = readonly (number | boolean | null)[];

/**
 * How an argument is written into the code of a program: the tag, then its payload. Tensors are registers there, not
 * slots. As in eager calls, the schema decides what a number becomes.
 */
export const tags = {
  /** The schema's default; no payload. */
  default: 0,
  /** None; no payload. */
  none: 1,
  /** A register. */
  tensor: 2,
  /** An integer, also for ScalarType, Layout, MemoryFormat and a Generator's seed. */
  int: 3,
  float: 4,
  /** 0 or 1. */
  bool: 5,
  /** Count, then values; so are the other lists. */
  ints: 6,
  floats: 7,
  /** Registers. */
  tensors: 8,
  bools: 9,
  /** Registers, -1 for an absent one. */
  optionalTensors: 10,
  /** Count of bytes, then its UTF-8: strings and devices. */
  string: 11,
} as const;

/** Kind of an op's argument in its schema, followed by "?" where None is allowed. */
export type ArgumentKind =
  | "Tensor"
  | "Tensor[]"
  | "Tensor?[]"
  | "int"
  | "float"
  | "bool"
  | "Scalar"
  | "int[]"
  | "float[]"
  | "bool[]"
  | "Scalar[]"
  | "str"
  | "ScalarType"
  | "Layout"
  | "MemoryFormat"
  | "Device"
  | "Generator"
  | "unsupported";

/** libtorch as the native addon gives it; one per JavaScript thread. Whatever is wrong throws, and nothing ends the process. */
export interface Addon extends ScriptAddon {
  /** Version of libtorch that the addon was built for: "2.13.0". */
  readonly torchVersion: string;

  /** Id of an ATen or `keras::` op ("aten::add", "Tensor"); throws when this libtorch lacks it. Ids are the same on all threads. */
  opId(name: string, overload: string): number;
  /** Whether this libtorch has the op. */
  hasOp(name: string, overload: string): boolean;
  /** Kinds of the op's arguments, in order: "Tensor", "int[]?". */
  argumentKinds(op: number): readonly (ArgumentKind | `${ArgumentKind}?`)[];
  /** The op's schema as libtorch prints it. */
  schema(op: number): string;
  /**
   * Runs an op now, without gradients. A single result comes as itself, several (or a list) as an array; tensors are
   * slots owned by the caller, other values are numbers, booleans are 0 and 1. Missing arguments take their defaults.
   */
  call(op: number, ...args: readonly Argument[]): Slot | readonly Slot[];

  /** A tensor with a copy of the bytes (contiguous, in C order). `scalarType` is libtorch's number of the dtype. */
  fromHost(data: ArrayBufferView, shape: readonly number[], scalarType: number, device: string): Slot;
  /** Contiguous copy of a tensor's bytes, from any device. */
  toHost(slot: Slot): ArrayBuffer;
  /** The only element of a tensor of real numbers; throws when there are more. */
  item(slot: Slot): number;
  shapeOf(slot: Slot): number[];
  scalarTypeOf(slot: Slot): number;
  deviceOf(slot: Slot): string;
  /** Another slot on the same tensor. */
  share(slot: Slot): Slot;
  free(slot: Slot): void;
  /** How many slots of this thread are in use. */
  liveTensors(): number;
  /** Bytes of the tensors in slots of this thread (each storage once), as reported to V8. */
  nativeBytes(): number;

  /**
   * Makes a program of instructions `[op, argument count, (tag, payload...)*, result count, registers...]`, where a
   * result register -1 drops the result. Each register is written once, by an input, a constant or an instruction.
   * Constants are kept by the program. Temporaries are freed at their last use. Throws for code that is not well formed.
   */
  compile(
    code: Float64Array,
    inputs: Int32Array,
    outputs: Int32Array,
    constants: readonly (readonly [register: number, slot: Slot])[],
    registers: number,
  ): number;
  /**
   * Runs a program; inputs are borrowed, the outputs' slots are the caller's. The inputs at the positions `spent` are freed by the call, and
   * their memory may become that of results.
   */
  run(program: number, inputs: readonly Slot[] | Int32Array, spent?: readonly number[]): Slot[];
  /** Runs a program off the main thread. Runs of one program may overlap; the inputs may be freed meanwhile. */
  runAsync(program: number, inputs: readonly Slot[] | Int32Array, spent?: readonly number[]): Promise<Slot[]>;
  /** Frees a program, after the runs under way. */
  disposeProgram(program: number): void;

  /** Number of threads that one op uses; of the whole process. */
  setThreads(count: number): void;
  threads(): number;
  cudaAvailable(): boolean;
}
