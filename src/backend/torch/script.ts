import type { Argument, Slot } from "./addon.js";

/** Number of a TorchScript module; the same on all threads. */
export type ScriptModule = number;

/** A parameter or buffer of a TorchScript module. */
export interface ScriptTensor {
  /** As Python names it: "layers.0.weight". */
  readonly name: string;
  /** A slot of the caller's on the module's own storage: what is written there, the module sees, and the other way round. */
  readonly slot: Slot;
  readonly trainable: boolean;
}

/** Form of what a module gave: places in the list of its output tensors, within arrays (also for tuples) and objects. */
export type ScriptStructure = number | null | readonly ScriptStructure[] | { readonly [key: string]: ScriptStructure };

/** What a run of a module gave. */
export interface ScriptResult {
  readonly outputs: readonly Slot[];
  readonly structure: ScriptStructure;
  /** Number for `jitBackward`; 0 when the run was not recorded. */
  readonly record: number;
}

/**
 * TorchScript modules, as Python's `torch.jit.save` writes them. Their code runs with the rights of the process: load files one trusts.
 *
 * For programs there are two ops beside these functions, pure in all they are given:
 * `keras::script_forward(int module, Tensor[] parameters, Tensor[] buffers, Tensor[] inputs, bool training, Tensor key) -> Tensor[]` gives
 * the outputs and then the buffers as the run left them (running means in training), and
 * `keras::script_backward(int module, Tensor[] parameters, Tensor[] buffers, Tensor[] inputs, Tensor?[] gradients, bool training, Tensor key)
 * -> Tensor[]`, for which forward runs again with the same draws, the gradients of the inputs and then of all parameters, zeros where there
 * is none. Parameters and buffers are in the order of `jitParameters` and `jitBuffers`; an empty list leaves the module its own. The
 * integers of `key` are the seed of what the module draws.
 */
export interface ScriptAddon {
  /** Reads a module from a file or from bytes. */
  jitLoad(source: string | Uint8Array, device: string): ScriptModule;
  jitParameters(module: ScriptModule): readonly ScriptTensor[];
  jitBuffers(module: ScriptModule): readonly ScriptTensor[];
  jitSetTraining(module: ScriptModule, training: boolean): void;
  /** Makes the module compute with these tensors, which are shared and not copied, in the order of `jitParameters`. */
  jitSetParameters(module: ScriptModule, values: readonly Slot[]): void;
  /** Runs forward, with arguments by its schema. `record` keeps what `jitBackward` needs. */
  jitForward(module: ScriptModule, inputs: readonly Argument[], record?: boolean): ScriptResult;
  /**
   * Gradients, by libtorch's autograd, of a recorded run for its input tensors and for all parameters; `noSlot` where there is none.
   * Takes a gradient, or null, for each output. The record ends with it.
   */
  jitBackward(
    record: number,
    gradients: readonly (Slot | null)[],
  ): { readonly inputs: readonly Slot[]; readonly parameters: readonly Slot[] };
  /** Ends a record whose gradients are not wanted. */
  jitDropRecord(record: number): void;
  jitDispose(module: ScriptModule): void;
}
