import type { TensorSpec } from "../../core/dtype.js";
import { builtIn } from "../built-in.js";
import { builtInRunner } from "../run-built-in.js";
import { noSlot } from "./addon.js";
import { addon } from "./library.js";
import { findOp, hasOp, MissingOpError, type OpInfo } from "./op-table.js";
import type { Argument, Kernel, Ref, Torch } from "./torch.js";
import { Value } from "./value.js";

/** Runs ops at once, and frees all results that a kernel does not give back. */
class EagerTorch implements Torch {
  #made: Ref[] = [];

  call(op: string, ...args: readonly Argument[]): Ref {
    return this.#one(findOp(op), args);
  }
  fresh(op: string, ...args: readonly Argument[]): Ref {
    return this.#one(findOp(op), args);
  }
  #one({ id, writes }: OpInfo, args: readonly Argument[]): Ref {
    const result = addon.call(id, ...args) as Ref;
    // An op that writes into a tensor gives the same tensor once more: another slot, freed like the rest.
    this.#made.push(result);
    return writes ? (args[0] as Ref) : result;
  }
  callMany(op: string, _count: number, ...args: readonly Argument[]): readonly Ref[] {
    const results = addon.call(findOp(op).id, ...args) as readonly Ref[];
    for (const result of results) this.#made.push(result);
    return results;
  }
  has(op: string): boolean {
    return hasOp(op);
  }

  /** Takes the results out of what was made: each is then owned by the caller. */
  finish(results: readonly Ref[], outputs: readonly TensorSpec[], constant: number | null): Value[] {
    const made = this.#made;
    this.#made = [];
    if (made.length === 1 && results.length === 1 && results[0] === made[0]) {
      return [Value.ofSlot(made[0]!, outputs[0]!, constant)];
    }
    const rest = new Set(made);
    const values = results.map((ref, i) =>
      Value.ofSlot(rest.delete(ref) ? ref : (addon.share(ref) as Ref), outputs[i]!),
    );
    for (const ref of rest) if (ref !== noSlot) addon.free(ref);
    return values;
  }
  /** Frees everything after an error. */
  abandon(): void {
    for (const ref of this.#made) if (ref !== noSlot) addon.free(ref);
    this.#made = [];
  }
}
const eager = new EagerTorch();

/** Runs a kernel on values; null where it leaves them to the built-in engine. `constant` is what all elements of the result are known to be. */
export function runKernel(
  kernel: Kernel,
  inputs: readonly Value[],
  attributes: object,
  outputs: readonly TensorSpec[],
  constant: number | null = null,
): Value[] | null {
  try {
    const results = kernel(eager, inputs, attributes, outputs);
    return results && eager.finish(results, outputs, constant);
  } catch (error) {
    eager.abandon();
    if (error instanceof MissingOpError) return null;
    throw error;
  }
}

/** Runs a primitive on the built-in engine. */
export const runBuiltIn = builtInRunner(builtIn, Value.ofArray);
