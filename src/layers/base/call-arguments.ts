import { toTensor } from "../../core/convert.js";
import { type DType, isFloat } from "../../core/dtype.js";
import { isForeignArray } from "../../core/foreign.js";
import { KerasTensor } from "../../core/keras-tensor.js";
import { NDArray } from "../../core/ndarray.js";
import { Operand } from "../../core/operand.js";
import { Tensor, type TensorLike } from "../../core/tensor.js";
import { Variable } from "../../core/variable.js";
import { cast } from "../../ops/elementwise.js";
import { showValue } from "../../utils/show-value.js";
import type { Layer } from "../layer.js";
import { isPlainObject } from "./shapes.js";

/** Options of a call by their names. */
export type CallOptionValues = Record<string, unknown>;

/** A call taken apart: positional arguments, and the options object that came last. */
export interface CallArguments {
  readonly args: readonly unknown[];
  readonly options: CallOptionValues;
}

/** Tells the trailing options object from positional arguments, and moves options named like a positional argument to its place. */
export function splitArguments(layer: Layer, given: readonly unknown[]): CallArguments {
  const { callArguments, callOptions, className } = layer.constructor as typeof Layer;
  const last = given.length > 1 ? given.at(-1) : undefined;
  if (!isPlainObject(last) || isArrayWithShape(last)) return { args: given, options: {} };
  const args = given.slice(0, -1);
  const options: CallOptionValues = {};
  for (const [name, value] of Object.entries(last)) {
    const place = callArguments.indexOf(name);
    if (place < 0) options[name] = value;
    else args[place] = value;
  }
  if (callOptions) {
    const known = ["training", "mask", ...callOptions];
    const unknown = Object.keys(options).find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw new TypeError(
        `Calling \`${className}\` takes no option \`${unknown}\`. Known options: ${[...new Set(known)].join(", ")}.`,
      );
  }
  return { args, options };
}

/** The arguments with host data as tensors, and float tensors in the layer's compute dtype where it casts its inputs. */
export function convertArguments(layer: Layer, { args, options }: CallArguments): CallArguments {
  const dtype = layer.inputDtype;
  const autocast = layer.autocast && layer.convertsInputs;
  const convert = (x: unknown): unknown => convertInput(x, dtype, autocast);
  return {
    args: args.map((arg) => mapPositional(arg, convert)),
    options: Object.fromEntries(Object.entries(options).map(([name, value]) => [name, mapOption(value, convert)])),
  };
}

/** `x` as a tensor of `dtype`, where it is a float and `autocast` is on; its mask stays with it. */
function convertInput(x: unknown, dtype: DType, autocast: boolean): unknown {
  if (x instanceof Tensor || x instanceof KerasTensor) {
    if (!autocast || !isFloat(x.dtype) || x.dtype === dtype) return x;
    const y: Tensor | KerasTensor = cast(x, dtype);
    y.kerasMask = x.kerasMask as (Tensor & KerasTensor) | null;
    return y;
  }
  return x instanceof Variable || isHostArray(x) ? convertInput(toTensor(x as TensorLike), dtype, autocast) : x;
}

/** Positional arguments may be host data in any form. */
function mapPositional(value: unknown, convert: (x: unknown) => unknown): unknown {
  if (isHostArray(value)) return convert(value);
  if (Array.isArray(value)) return value.map((item) => mapPositional(item, convert));
  if (isPlainObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapPositional(item, convert)]));
  return convert(value);
}
/** In options, arrays of numbers are axes and the like. */
function mapOption(value: unknown, convert: (x: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapOption(item, convert));
  if (isPlainObject(value) && !isArrayWithShape(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapOption(item, convert)]));
  return value instanceof Operand || value instanceof NDArray || isForeignArray(value) ? convert(value) : value;
}

const isArrayWithShape = (value: object): boolean => "data" in value && "shape" in value;
function isHostArray(value: unknown): boolean {
  if (Array.isArray(value)) {
    let first: unknown = value;
    while (Array.isArray(first)) first = first[0];
    return typeof first === "number" || typeof first === "boolean" || typeof first === "bigint";
  }
  return (
    value instanceof NDArray ||
    ArrayBuffer.isView(value) ||
    (isPlainObject(value) && isArrayWithShape(value)) ||
    isForeignArray(value)
  );
}

/** Throws a TypeError unless all positional arguments are (structures of) tensors or null. */
export function assertTensors(layer: Layer, args: readonly unknown[]): void {
  for (const arg of args) {
    if (arg === undefined || arg === null || arg instanceof Tensor || arg instanceof KerasTensor) continue;
    if (Array.isArray(arg)) assertTensors(layer, arg);
    else if (isPlainObject(arg)) assertTensors(layer, Object.values(arg));
    else
      throw new TypeError(
        `Layer "${layer.name}" takes only tensors as positional arguments. Received: ${showValue(arg)}. Pass other values in the options object that comes last.`,
      );
  }
}
