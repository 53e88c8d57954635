import { isDifferentiable } from "./dtype.js";
import type { GradientRule } from "./primitive.js";
import type { Tensor } from "./tensor.js";

/** One applied op, as the backward pass needs it. */
export interface TapeEntry {
  readonly name: string;
  readonly gradient: GradientRule<object> | null;
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
  readonly attributes: object;
}

/** Records the ops that lead from watched tensors to others, in eager and trace mode alike. */
export class Tape {
  readonly entries: TapeEntry[] = [];
  readonly #tracked = new Set<Tensor>();

  watch(x: Tensor): void {
    this.#tracked.add(x);
  }
  isTracked(x: Tensor): boolean {
    return this.#tracked.has(x);
  }
  add(entry: TapeEntry): void {
    if (!entry.inputs.some((x) => this.#tracked.has(x))) return;
    const flowing = entry.outputs.filter((y) => isDifferentiable(y.dtype));
    if (flowing.length === 0) return;
    this.entries.push(entry);
    for (const y of flowing) this.#tracked.add(y);
  }
}

let active: readonly Tape[] = [];

/** Adds an applied op to every open tape that follows one of its inputs. */
export function record(entry: TapeEntry): void {
  for (const tape of active) tape.add(entry);
}
/** Whether some open tape follows one of `inputs`. */
export const isRecording = (inputs: readonly Tensor[]): boolean =>
  active.some((tape) => inputs.some((x) => tape.isTracked(x)));

/** Runs `fn` with `tape` open besides those that are open already. */
export function withTape<T>(tape: Tape, fn: () => T): T {
  const outer = active;
  active = [...outer, tape];
  try {
    return fn();
  } finally {
    active = outer;
  }
}
/** Runs `fn` with no tape recording. */
export function withoutTapes<T>(fn: () => T): T {
  const outer = active;
  active = [];
  try {
    return fn();
  } finally {
    active = outer;
  }
}
