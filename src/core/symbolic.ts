import type { Shape } from "./dtype.js";
import { AbstractTensor, inSpecMode } from "./interpreter.js";
import { KerasTensor, type SymbolicShape } from "./keras-tensor.js";
import { StatelessScope } from "./stateless-scope.js";
import { withoutTapes } from "./tape.js";
import { Tensor, TensorScope } from "./tensor.js";
import { UnknownSizeError } from "./unknown-size-error.js";

/** Shapes inside spec evaluation say NaN for an unknown dimension, so that arithmetic propagates it; KerasTensors say null. */
const unknownToNaN = (shape: SymbolicShape): Shape => shape.map((dim) => dim ?? NaN);
const nanToUnknown = (shape: Shape): SymbolicShape => shape.map((dim) => (Number.isNaN(dim) ? null : dim));

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Whether an array holds plain numbers (axes, shapes, values) and no tensors; of a long one the ends tell. */
function isData(value: readonly unknown[]): boolean {
  if (typeof value[0] !== "number") return value.length === 0;
  return value.length > 64 ? typeof value.at(-1) === "number" : value.every((x) => typeof x !== "object");
}

/** Maps the leaves of arguments: nested arrays and plain objects are walked, everything else is a leaf. */
export function mapArguments(value: unknown, leaf: (x: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    return isData(value) ? value : value.map((x) => mapArguments(x, leaf));
  }
  if (isPlainObject(value))
    return Object.fromEntries(Object.entries(value).map(([k, x]) => [k, mapArguments(x, leaf)]));
  return leaf(value);
}

/** The leaves of arguments that `accepts` picks, in order. */
export function leavesOf<T>(value: unknown, accepts: (x: unknown) => x is T, found: T[] = []): T[] {
  if (Array.isArray(value)) {
    if (isData(value)) return found;
    for (const x of value) leavesOf(x, accepts, found);
  } else if (accepts(value)) found.push(value);
  else if (isPlainObject(value)) for (const x of Object.values(value)) leavesOf(x, accepts, found);
  return found;
}

const isSymbolic = (x: unknown): x is KerasTensor => x instanceof KerasTensor;
/** The symbolic tensors among (nested) arguments. */
export const symbolicTensorsOf = (args: unknown): KerasTensor[] => leavesOf(args, isSymbolic);
/** Whether a symbolic tensor is among (nested) arguments. */
export function anySymbolic(args: unknown): boolean {
  if (typeof args !== "object" || args === null) return false;
  if (Array.isArray(args)) return !isData(args) && args.some(anySymbolic);
  return isSymbolic(args) || (isPlainObject(args) && Object.values(args).some(anySymbolic));
}

/**
 * Runs `fn` on stand-ins for the symbolic tensors among `args` and returns its result with symbolic tensors for the tensors that come out.
 * Nothing is computed, and assignments to variables are forgotten.
 */
export function computeOutputSpec<R>(fn: (...args: any[]) => R, args: readonly unknown[]): unknown {
  const run = (dim: number): unknown => {
    using _tensors = new TensorScope();
    using _state = new StatelessScope();
    const standIn = (x: unknown): unknown => {
      if (!(x instanceof KerasTensor)) return x;
      const abstract = new AbstractTensor({
        shape: unknownToNaN(x.shape).map((d) => (Number.isNaN(d) ? dim : d)),
        dtype: x.dtype,
      });
      if (x.kerasMask) abstract.kerasMask = standIn(x.kerasMask) as Tensor;
      return abstract;
    };
    const inputs = args.map((arg) => mapArguments(arg, standIn));
    const result = withoutTapes(() => inSpecMode(() => fn(...inputs)));
    return mapArguments(result, (y) => (y instanceof Tensor ? new KerasTensor(nanToUnknown(y.shape), y.dtype) : y));
  };
  try {
    return run(NaN);
  } catch (error) {
    if (error instanceof UnknownSizeError || symbolicTensorsOf(args).every((x) => x.shape.every((dim) => dim !== null)))
      throw error;
    try {
      // What cannot cope with unknown dimensions tells them by two different sizes.
      return mergeSpecs(run(83), run(89));
    } catch {
      throw error;
    }
  }
}

function mergeSpecs(a: unknown, b: unknown): unknown {
  if (a instanceof KerasTensor && b instanceof KerasTensor) {
    return new KerasTensor(
      a.shape.map((dim, i) => (dim === b.shape[i] ? dim : null)),
      a.dtype,
      { name: a.name },
    );
  }
  if (Array.isArray(a)) return a.map((x, i) => mergeSpecs(x, (b as unknown[])[i]));
  if (isPlainObject(a))
    return Object.fromEntries(Object.entries(a).map(([k, x]) => [k, mergeSpecs(x, (b as Record<string, unknown>)[k])]));
  return a;
}
