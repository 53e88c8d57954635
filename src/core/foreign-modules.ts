import type { TensorSpec } from "./dtype.js";
import type { NDArray } from "./ndarray.js";

/** A parameter or buffer of a foreign module, with its value as it was loaded. */
export interface ForeignState {
  /** As the library names it: "layers.0.weight". */
  readonly name: string;
  readonly value: NDArray;
  readonly trainable: boolean;
}
/** A compiled module of another library that an engine runs and differentiates by its own means: TorchScript on libtorch. */
export interface ForeignModule {
  /** What Programs name it by. */
  readonly id: number;
  readonly parameters: readonly ForeignState[];
  /** State that forward passes change, such as running means. */
  readonly buffers: readonly ForeignState[];
}
/** What an engine that can run foreign modules offers. */
export interface ForeignModules {
  /** Reads a module; it lives until the process ends. Throws when the bytes are none. */
  load(bytes: Uint8Array): ForeignModule;
  /** Specs of the module's output tensors, in order, for inputs of these specs, where an unknown dimension is NaN. */
  outputs(id: number, inputs: readonly TensorSpec[]): readonly TensorSpec[];
}
