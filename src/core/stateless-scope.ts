/// <reference lib="esnext.disposable" preserve="true" />
import { Dynamic } from "./dynamic.js";
import type { Tensor } from "./tensor.js";
import type { Variable } from "./variable.js";
import { dispose } from "../utils/dispose.js";

export interface StatelessScopeOptions {
  /** Values that variables have inside the scope. */
  readonly stateMapping?: Iterable<readonly [Variable, Tensor]>;
  /** Whether `addLoss` inside the scope goes to `losses` instead of the layers. */
  readonly collectLosses?: boolean;
  /** Whether variables whose creation was deferred are initialized when the outermost scope ends. */
  readonly initializeVariables?: boolean;
}

/** Inside, assignments to variables are recorded instead of made. Nested scopes read through to the outer one. */
export class StatelessScope implements Disposable {
  static readonly current = new Dynamic<StatelessScope | null>(null);
  /** New values, by variable, in the order of their first assignment. */
  readonly updates = new Map<Variable, Tensor>();
  readonly losses: Tensor[] = [];
  readonly collectLosses: boolean;
  readonly #values = new Map<Variable, Tensor>();
  readonly #outer = StatelessScope.current.get();
  readonly #initialize: boolean;
  readonly #exit: Disposable;

  constructor({ stateMapping = [], collectLosses = false, initializeVariables = true }: StatelessScopeOptions = {}) {
    for (const [variable, value] of stateMapping) this.#values.set(variable, variable.convert(value));
    this.collectLosses = collectLosses;
    this.#initialize = initializeVariables;
    this.#exit = StatelessScope.current.enter(this);
  }
  /** The variable's value inside this scope; null when it was neither mapped nor assigned. */
  getCurrentValue(variable: Variable): Tensor | null {
    return this.#values.get(variable) ?? this.#outer?.getCurrentValue(variable) ?? null;
  }
  addUpdate(variable: Variable, value: Tensor): void {
    this.#values.set(variable, value);
    this.updates.set(variable, value);
  }
  /** Makes `value` the variable's value for later reads, without counting as an update. */
  protected map(variable: Variable, value: Tensor): void {
    this.#values.set(variable, value);
  }
  [dispose](): void {
    this.#exit[dispose]();
    if (!this.#outer && this.#initialize) initializeDeferred();
  }
}

const deferred = new Set<Variable>();
/** Remembers a variable that could not be initialized inside a scope. */
export const deferInitialization = (variable: Variable): void => void deferred.add(variable);
function initializeDeferred(): void {
  for (const variable of deferred) {
    deferred.delete(variable);
    variable.initializeDeferred();
  }
}
