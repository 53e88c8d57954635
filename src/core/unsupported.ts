/** What Python Keras offers and JavaScript cannot: calling it says why. */
const unsupported =
  (name: string, why: string) =>
  (..._args: readonly unknown[]): never => {
    throw new Error(`\`${name}\` is not available: ${why}`);
  };

/** Throws: stack traces are never shortened here, so there is nothing to turn on. */
export const enableTracebackFiltering = unsupported(
  "enableTracebackFiltering",
  "JavaScript stack traces belong to the platform and are never shortened.",
);
/** Does nothing: stack traces are never shortened here. */
export const disableTracebackFiltering = (): void => {};
/** Always false: stack traces are never shortened here. */
export const isTracebackFilteringEnabled = (): boolean => false;
/** Always false: Flax NNX is a Python library. */
export const isNnxEnabled = (): boolean => false;
/** Throws: use `remat`, which wraps one function. */
export const RematScope = unsupported(
  "RematScope",
  "layers are not rematerialized by a scope. Wrap functions with `remat`.",
);
/** Throws: shapes are inferred without a scope. */
export const SymbolicScope = unsupported(
  "SymbolicScope",
  "shapes are inferred whenever layers and ops get symbolic tensors.",
);
