import type { DType } from "../core/dtype.js";
import { KerasTensor, type SymbolicShape } from "../core/keras-tensor.js";
import { Tensor } from "../core/tensor.js";
import { flatten } from "../tree/index.js";
import { showShape, symbolicShapeOf } from "./base/shapes.js";

/** What an `InputSpec` can demand. */
export interface InputSpecOptions {
  readonly dtype?: DType | null;
  /** Sizes of all axes, with null for any; sets `ndim`. */
  readonly shape?: SymbolicShape | null;
  readonly ndim?: number | null;
  readonly maxNdim?: number | null;
  readonly minNdim?: number | null;
  /** Sizes of single axes; negative ones count from the end. */
  readonly axes?: Readonly<Record<number, number | null>> | null;
  /** Whether a last axis of size 1 may be there or missing. */
  readonly allowLastAxisSqueeze?: boolean;
  /** Name of the input in a dict of inputs. */
  readonly name?: string | null;
  /** Whether the input may be null. */
  readonly optional?: boolean;
}

/** What a layer demands of one of its inputs. */
export class InputSpec {
  readonly dtype: DType | null;
  readonly shape: SymbolicShape | null;
  readonly ndim: number | null;
  readonly maxNdim: number | null;
  readonly minNdim: number | null;
  readonly axes: ReadonlyMap<number, number | null>;
  readonly allowLastAxisSqueeze: boolean;
  readonly name: string | null;
  readonly optional: boolean;

  constructor(options: InputSpecOptions = {}) {
    this.dtype = options.dtype ?? null;
    this.shape = options.shape ?? null;
    this.ndim = this.shape?.length ?? options.ndim ?? null;
    this.maxNdim = options.maxNdim ?? null;
    this.minNdim = options.minNdim ?? null;
    this.axes = new Map(Object.entries(options.axes ?? {}).map(([axis, dim]) => [Number(axis), dim]));
    this.allowLastAxisSqueeze = options.allowLastAxisSqueeze ?? false;
    this.name = options.name ?? null;
    this.optional = options.optional ?? false;
    const rank = this.ndim ?? this.maxNdim;
    for (const axis of this.axes.keys())
      if (rank !== null && (axis >= rank || axis < -rank))
        throw new RangeError(`\`InputSpec.axes\` names axis ${axis}, but the rank is at most ${rank}.`);
  }
  getConfig(): Record<string, unknown> {
    return {
      dtype: this.dtype,
      shape: this.shape,
      ndim: this.ndim,
      max_ndim: this.maxNdim,
      min_ndim: this.minNdim,
      axes: Object.fromEntries(this.axes),
    };
  }
}

/** One spec, or one for each input. */
export type InputSpecs = InputSpec | readonly InputSpec[] | null;

/** Throws a RangeError that names the layer, what it expected and the shape it got, unless `inputs` fit `specs`. */
export function assertInputCompatibility(specs: InputSpecs, inputs: unknown, layerName: string): void {
  if (!specs) return;
  if (specs instanceof InputSpec) {
    if (inputs instanceof Tensor || inputs instanceof KerasTensor) return check(specs, inputs, 0, layerName);
    specs = [specs];
  }
  const tensors = named(specs, inputs, layerName) ?? flatten(inputs);
  if (tensors.length !== specs.length)
    throw new RangeError(
      `Layer "${layerName}" expects ${specs.length} input(s), but it received ${tensors.length} input tensors.`,
    );
  specs.forEach((spec, i) => {
    const x = tensors[i];
    if (x instanceof Tensor || x instanceof KerasTensor) check(spec, x, i, layerName);
    else if (!spec.optional || (x ?? null) !== null)
      throw new TypeError(`Input ${i} of layer "${layerName}" must be a tensor. Received: ${String(x)}.`);
  });
}

/** Inputs given by name, in the order of the specs. */
function named(specs: readonly InputSpec[], inputs: unknown, layerName: string): unknown[] | null {
  if (typeof inputs !== "object" || inputs === null || Array.isArray(inputs) || inputs instanceof Tensor) return null;
  if (inputs instanceof KerasTensor || specs.some(({ name }) => name === null)) return null;
  return specs.map(({ name }) => {
    if (!Object.hasOwn(inputs, name!))
      throw new RangeError(
        `Layer "${layerName}" misses the input "${name}". Received inputs named: ${Object.keys(inputs).join(", ")}.`,
      );
    return (inputs as Record<string, unknown>)[name!];
  });
}

function check(spec: InputSpec, x: Tensor | KerasTensor, index: number, layerName: string): void {
  const shape = symbolicShapeOf(x);
  const fail = (expected: string, found: string): never => {
    throw new RangeError(
      `Input ${index} of layer "${layerName}" is incompatible with the layer: expected ${expected}, found ${found}. Full shape received: ${showShape(shape)}.`,
    );
  };
  const { ndim, maxNdim, minNdim, axes } = spec;
  const squeezable = spec.allowLastAxisSqueeze && ndim !== null && Math.abs(shape.length - ndim) === 1;
  if (ndim !== null && shape.length !== ndim && !squeezable) fail(`ndim=${ndim}`, `ndim=${shape.length}`);
  if (maxNdim !== null && shape.length > maxNdim) fail(`max_ndim=${maxNdim}`, `ndim=${shape.length}`);
  if (minNdim !== null && shape.length < minNdim) fail(`min_ndim=${minNdim}`, `ndim=${shape.length}`);
  if (spec.dtype !== null && x.dtype !== spec.dtype) fail(`dtype=${spec.dtype}`, `dtype=${x.dtype}`);
  for (const [axis, expected] of axes) {
    const dim = shape.at(axis) ?? null;
    if (expected !== null && dim !== null && dim !== expected)
      fail(`axis ${axis} of input shape to have value ${expected}`, `value ${dim}`);
  }
  if (spec.shape) {
    const [given, wanted] = spec.allowLastAxisSqueeze ? squeezed(shape, spec.shape) : [shape, spec.shape];
    const fits = wanted.every((dim, i) => dim === null || (given[i] ?? null) === null || given[i] === dim);
    if (!fits) fail(`shape=${showShape(spec.shape)}`, `shape=${showShape(shape)}`);
  }
}

/** Both shapes without the last axis of size 1 that only one of them has. */
function squeezed(shape: SymbolicShape, wanted: SymbolicShape): [SymbolicShape, SymbolicShape] {
  if (shape.length === wanted.length + 1 && shape.at(-1) === 1) return [shape.slice(0, -1), wanted];
  if (wanted.length === shape.length + 1 && wanted.at(-1) === 1) return [shape, wanted.slice(0, -1)];
  return [shape, wanted];
}
