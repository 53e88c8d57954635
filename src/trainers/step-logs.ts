import { engine } from "../core/engine.js";
import type { NDArray } from "../core/ndarray.js";
import { detach, itemOf, Tensor, TensorScope } from "../core/tensor.js";
import { warn } from "../utils/print-warning.js";
import type { Logs, StepLogs } from "./types.js";

type Value = Logs[string];
/** A value of the logs: a number for a scalar, else the values of a vector. */
function valueOf(x: Tensor): Value | Promise<Value> {
  if (x.shape.length === 0) return itemOf(x);
  const array = engine().toHost(x.handle);
  return array instanceof Promise ? array.then(numbersOf) : numbersOf(array);
}
const numbersOf = (array: NDArray): number[] => [...array.numbers()];

/** Reads results from the engine, in the order of their sorted names; a promise only where the engine needs one. */
export function readLogs(logs: StepLogs): Logs | Promise<Logs> {
  const values: Logs = {};
  const waiting: Promise<void>[] = [];
  for (const name of Object.keys(logs).sort()) {
    const value = valueOf(logs[name]!);
    const isLate = value instanceof Promise;
    values[name] = isLate ? NaN : value;
    if (isLate) waiting.push(value.then((late) => void (values[name] = late)));
  }
  return waiting.length > 0 ? Promise.all(waiting).then(() => values) : values;
}

/** Results out of the open scope, for the caller to free. What belongs to others, such as the value of a variable, is shared. */
export function owned(logs: StepLogs): StepLogs {
  const scope = TensorScope.current.get();
  const take = (x: Tensor): Tensor => (scope?.detach(x) ? x : detach(new Tensor(engine().share(x.handle), x)));
  const taken: Record<string, Tensor> = {};
  for (const name of Object.keys(logs)) taken[name] = take(logs[name]!);
  return taken;
}

/** Results of the latest step: kept on the engine until somebody asks, then read once. */
export class LatestLogs {
  #tensors: StepLogs | null = null;
  #read: Logs | Promise<Logs> | null = null;
  #warned = false;

  /** Takes over the results of a step, inside the scope of that step, and frees the former ones. */
  set(logs: StepLogs): void {
    this.dispose();
    this.#tensors = owned(logs);
  }
  get names(): string[] {
    return Object.keys(this.#tensors ?? {});
  }
  /** The results as numbers, in the order of their names; none before the first step. Each call gives an object of its own. */
  read(): Logs | Promise<Logs> {
    if (!this.#tensors) return {};
    this.#read ??= readLogs(this.#tensors);
    if (!(this.#read instanceof Promise)) return this.#checked({ ...this.#read });
    return this.#read.then((logs) => this.#checked({ ...logs }));
  }
  #checked(logs: Logs): Logs {
    if (Number.isNaN(logs["loss"]) && !this.#warned) {
      this.#warned = true;
      warn(
        "The loss became NaN. Lower the learning rate, clip gradients (clipnorm), or look for NaN in the data; " +
          "the TerminateOnNaN callback stops training when this happens.",
      );
    }
    return logs;
  }
  dispose(): void {
    for (const tensor of Object.values(this.#tensors ?? {})) tensor.dispose();
    this.#tensors = this.#read = null;
  }
}
