import { Configurable } from "../config/configurable.js";
import { configure } from "../config/configure.js";
import { autoNamed, derived, optional, string, type Options } from "../config/fields.js";
import { type DType, type Shape, standardizeDType } from "../core/dtype.js";
import { floatx } from "../core/settings.js";
import { nameScope } from "../core/scopes.js";
import { StatelessScope } from "../core/stateless-scope.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { Variable } from "../core/variable.js";
import * as P from "../primitives/index.js";

const fields = {
  name: autoNamed({ slashes: true }),
  /** Dtype of the results; the default float when null. */
  dtype: derived(optional(string()), (value): DType => standardizeDType(value, floatx())),
};
export interface MetricOptions extends Options<typeof fields> {}
/** What a metric says after some batches: one tensor, or several by name. */
export type MetricResult = Tensor | Record<string, Tensor>;

export interface Metric {
  (yTrue: TensorLike, yPred?: TensorLike | null, sampleWeight?: TensorLike | null): MetricResult;
}
/** Base of metrics: state that batches update, and a result read from it. */
export abstract class Metric extends configure(Configurable, "Metric", fields) {
  static override readonly module: string = "keras.metrics";
  readonly #variables: Variable[] = [];

  /** Takes a batch into account. */
  abstract updateState(yTrue: TensorLike, yPred?: TensorLike | null, sampleWeight?: TensorLike | null): void;
  /** The value over everything seen since the last reset. */
  abstract result(): MetricResult;

  /** Updates with a batch and returns the result. */
  protected override invoke(
    yTrue: TensorLike,
    yPred?: TensorLike | null,
    sampleWeight?: TensorLike | null,
  ): MetricResult {
    this.updateState(yTrue, yPred, sampleWeight);
    return this.result();
  }
  /** Makes a state variable, zeros unless an initializer says otherwise; of floatx, whatever the metric's dtype, unless `dtype` is given. */
  protected addVariable({
    shape = [],
    dtype = floatx(),
    initializer = null,
    name = "variable",
  }: {
    shape?: Shape;
    dtype?: DType;
    initializer?: ((shape: Shape, options: { dtype: DType }) => Tensor) | null;
    name?: string;
  } = {}): Variable {
    using _ = nameScope(this.name.replaceAll("/", ">"), { caller: this });
    const variable = new Variable(initializer ?? ((s) => P.full(s, 0, dtype)), {
      shape,
      dtype,
      trainable: false,
      name,
      aggregation: "sum",
    });
    this.#variables.push(variable);
    return variable;
  }
  /** Own state, then that of metrics held as properties. */
  get variables(): Variable[] {
    const nested = Object.values(this).filter((value): value is Metric => value instanceof Metric);
    return [...this.#variables, ...nested.flatMap((metric) => metric.variables)];
  }
  /** Forgets everything seen. */
  resetState(): void {
    for (const variable of this.variables) variable.assign(P.full(variable.shape, 0, variable.variableDType));
  }
  /** Whether larger values are better ("up"), smaller ones ("down"), or neither is known; callbacks ask. */
  get direction(): "up" | "down" | null {
    return null;
  }
  /** State after a batch, from the state before: for code that carries state itself. */
  statelessUpdateState(
    state: readonly Tensor[],
    yTrue: TensorLike,
    yPred?: TensorLike | null,
    sampleWeight?: TensorLike | null,
  ): Tensor[] {
    const variables = this.variables;
    using scope = this.#scopeOver(state);
    this.updateState(yTrue, yPred, sampleWeight);
    return variables.map((variable) => scope.getCurrentValue(variable)!);
  }
  /** The result that a state stands for. */
  statelessResult(state: readonly Tensor[]): MetricResult {
    using _ = this.#scopeOver(state);
    return this.result();
  }
  /** The state of a metric that has seen nothing. */
  statelessResetState(): Tensor[] {
    const variables = this.variables;
    using scope = new StatelessScope({ initializeVariables: false });
    this.resetState();
    return variables.map((variable) => scope.getCurrentValue(variable)!);
  }
  #scopeOver(state: readonly Tensor[]): StatelessScope {
    const variables = this.variables;
    if (state.length !== variables.length)
      throw new RangeError(
        `The metric "${this.name}" has ${variables.length} state variables. Received: ${state.length}.`,
      );
    return new StatelessScope({
      stateMapping: variables.map((variable, i) => [variable, state[i]!] as const),
      initializeVariables: false,
    });
  }
}

/** The name of a metric whose class has a fixed one. */
export const named = (name: string) => derived(optional(string()), (value) => value ?? name);
