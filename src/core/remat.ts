import { full, stopGradient } from "../primitives/index.js";
import { flatten, packSequenceAs } from "../tree/index.js";
import { vectorJacobianProduct } from "./gradient.js";
import { autocastDType } from "./scopes.js";
import { StatelessScope } from "./stateless-scope.js";
import { record, withoutTapes } from "./tape.js";
import { Tensor, TensorScope } from "./tensor.js";
import type { Variable } from "./variable.js";
import { dispose } from "../utils/dispose.js";

/** Notes which variables are read, and the values they had. */
class ReadingScope extends StatelessScope {
  readonly reads = new Map<Variable, Tensor>();
  constructor() {
    super({ initializeVariables: false });
  }
  override getCurrentValue(variable: Variable): Tensor {
    if (this.updates.has(variable)) return this.updates.get(variable)!;
    const value = super.getCurrentValue(variable) ?? variable.rawValue;
    if (!this.reads.has(variable)) this.reads.set(variable, value);
    return value;
  }
}
const tensorsIn = (value: unknown): Tensor[] =>
  flatten<unknown>(value as never).filter((x): x is Tensor => x instanceof Tensor);

/**
 * `fn` with its intermediate results thrown away: gradients compute them again, which takes time and saves memory (Chen et al. 2016,
 * "Training Deep Nets with Sublinear Memory Cost"). `fn` may read and assign variables; random numbers are the same both times.
 */
export function remat<A extends readonly unknown[], R>(fn: (...args: A) => R): (...args: A) => R {
  return (...args: A): R => {
    const leaves = flatten<unknown>(args as never);
    const places = leaves.flatMap((leaf, i) => (leaf instanceof Tensor ? [i] : []));
    const dtype = autocastDType.get();
    let result: R;
    const scope = new ReadingScope();
    const memory = new TensorScope();
    try {
      result = withoutTapes(() => fn(...args));
    } finally {
      scope[dispose]();
    }
    // A result that is an argument as well would get its gradient twice.
    const given = new Set(leaves);
    const fresh = flatten<unknown>(result as never).map((y) =>
      y instanceof Tensor && given.has(y) ? stopGradient(y) : y,
    );
    const outputs = fresh.filter((y): y is Tensor => y instanceof Tensor);
    for (const y of [...outputs, ...scope.updates.values()]) memory.release(y);
    memory[dispose]();
    for (const [variable, value] of scope.updates) variable.assign(value);

    const inputs = [...places.map((i) => leaves[i] as Tensor), ...scope.reads.values()];
    record({
      name: "remat",
      inputs,
      outputs,
      attributes: {},
      gradient: (gradients) => {
        const again = (): readonly Tensor[] => {
          using _ = new StatelessScope({ stateMapping: scope.reads, initializeVariables: false });
          return autocastDType.run(dtype, () => tensorsIn(fn(...args)));
        };
        const seeds = (ys: readonly Tensor[]): Tensor[] => ys.map((y, i) => gradients[i] ?? full(y.shape, 0, y.dtype));
        return vectorJacobianProduct(again, inputs, seeds).gradients;
      },
    });
    return packSequenceAs(result as never, fresh as never) as R;
  };
}
