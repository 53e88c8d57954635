import { camelToSnake } from "../utils/naming.js";
import { showValue } from "../utils/show-value.js";
import { TRAINER } from "../trainers/state.js";
import type { Trainer } from "../trainers/trainer.js";
import { Callback, type CallbackParams, type HookName, hookNames, type HookResult, type Logs } from "./callback.js";
import { History } from "./history.js";
import { LambdaCallback, type Hooks } from "./lambda-callback.js";
import { ProgbarLogger } from "./progbar-logger.js";

/** A callback: an instance, or an object of hooks. */
export type CallbackLike = Callback | Hooks;
export type CallbacksOption = CallbackLike | readonly CallbackLike[] | null;

export interface CallbackListOptions extends CallbackParams {
  readonly addHistory?: boolean;
  readonly addProgbar?: boolean;
  readonly model: Trainer;
}

/** Where batch logs come from, when a callback wants them: an object of its own for each call, in the order of the names. */
export type LogsSource = () => Logs | Promise<Logs>;
type BatchHook = Extract<HookName, `on${string}Batch${string}`>;

/** Calls the hooks of several callbacks, in their order. Waits only for hooks that return promises. */
export class CallbackList {
  readonly callbacks: Callback[];
  readonly params: CallbackParams;
  readonly #overriding = new Map<HookName, readonly Callback[]>();

  constructor(callbacks: CallbacksOption, options: CallbackListOptions) {
    const { addHistory = false, addProgbar = false, model, verbose, epochs, steps } = options;
    this.callbacks = flat(callbacks).map(toCallback);
    let history = this.callbacks.find((callback): callback is History => callback instanceof History);
    if (!history && addHistory) this.callbacks.push((history = new History()));
    if (addProgbar && !this.callbacks.some((callback) => callback instanceof ProgbarLogger))
      this.callbacks.push(new ProgbarLogger());
    this.params = { verbose, epochs, steps };
    if (history) model[TRAINER].history = history;
    for (const callback of this.callbacks) {
      callback.setModel(model);
      callback.setParams(this.params);
    }
    if (this.callbacks.length === 0) return;
    for (const name of hookNames)
      this.#overriding.set(
        name,
        this.callbacks.filter((callback) => overrides(callback, name)),
      );
  }

  /** Tells all callbacks the number of steps, once it is known. */
  setSteps(steps: number | null): void {
    for (const callback of this.callbacks) callback.setParams({ ...this.params, steps });
  }
  /** Calls a hook that stands between batches: with one object of logs, which callbacks may add to. */
  call(name: Exclude<HookName, BatchHook | `onEpoch${string}`>, logs: Logs = {}): HookResult {
    const callbacks = this.#overriding.get(name);
    if (!callbacks || callbacks.length === 0) return;
    const shared = sorted(logs);
    return inOrder(callbacks, (callback) => callback[name](shared));
  }
  callEpoch(name: "onEpochBegin" | "onEpochEnd", epoch: number, logs: Logs = {}): HookResult {
    const shared = sorted(logs);
    return inOrder(this.#overriding.get(name) ?? [], (callback) => callback[name](epoch, shared));
  }
  callBatchBegin(name: Extract<BatchHook, `${string}Begin`>, batch: number): HookResult {
    const callbacks = this.#overriding.get(name);
    if (callbacks && callbacks.length > 0) return inOrder(callbacks, (callback) => callback[name](batch, {}));
  }
  /** Calls a hook after a batch. The logs are read only when a callback wants them now. */
  callBatchEnd(name: Extract<BatchHook, `${string}End`>, batch: number, logs: LogsSource): HookResult {
    const callbacks = this.#overriding.get(name);
    if (!callbacks || callbacks.length === 0) return;
    const interested = callbacks.filter((callback) => !callback.skipsBatch(batch));
    if (interested.length === 0) return;
    const read = logs();
    const run = (shared: Logs): HookResult => inOrder(interested, (callback) => callback[name](batch, shared));
    return read instanceof Promise ? read.then(run) : run(read);
  }
}

const flat = (callbacks: CallbacksOption): CallbackLike[] =>
  callbacks === null || callbacks === undefined
    ? []
    : Array.isArray(callbacks)
      ? (callbacks as CallbacksOption[]).flatMap(flat)
      : [callbacks as CallbackLike];

/** Batch hooks of training have two names. */
function overrides(callback: Callback, name: HookName): boolean {
  const own = (hook: HookName): boolean => callback[hook] !== Callback.prototype[hook];
  if (name === "onTrainBatchBegin") return own(name) || own("onBatchBegin");
  if (name === "onTrainBatchEnd") return own(name) || own("onBatchEnd");
  return own(name);
}

/** A callback as it is, checked for misspelled hooks; an object of hooks as a callback. */
function toCallback(value: CallbackLike): Callback {
  if (value instanceof Callback) {
    assertHooks(value);
    return value;
  }
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return new LambdaCallback(value);
  throw new TypeError(
    `\`callbacks\` must hold callbacks, or objects of hooks such as { onEpochEnd(epoch, logs) {} }. Received: ${showValue(value)}.`,
  );
}
const pythonNames = new Map<string, HookName>(hookNames.map((name) => [camelToSnake(name), name]));
/** Hooks under Python's names would never be called. */
function assertHooks(callback: Callback): void {
  for (const [python, name] of pythonNames)
    if (python in callback)
      throw new TypeError(
        `${callback.constructor.name} has the method ${python}, which is never called. Name it ${name}.`,
      );
}

const sorted = (logs: Logs): Logs =>
  Object.fromEntries(
    Object.keys(logs)
      .sort()
      .map((name) => [name, logs[name]!]),
  );

/** Calls `hook` for each callback, waiting for promises and for nothing else. */
function inOrder(callbacks: readonly Callback[], hook: (callback: Callback) => HookResult): HookResult {
  for (let i = 0; i < callbacks.length; i++) {
    const result = hook(callbacks[i]!);
    if (result instanceof Promise) return rest(result, callbacks.slice(i + 1), hook);
  }
}
async function rest(
  first: Promise<void>,
  callbacks: readonly Callback[],
  hook: (callback: Callback) => HookResult,
): Promise<void> {
  await first;
  for (const callback of callbacks) await hook(callback);
}
