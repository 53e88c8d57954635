import { type DType, isDType } from "../../src/core/dtype.js";
import { KerasTensor } from "../../src/core/keras-tensor.js";
import { NDArray, type NestedArray, type TypedArray } from "../../src/core/ndarray.js";
import { readNow } from "../../src/core/host.js";
import { fromHost, Tensor } from "../../src/core/tensor.js";
import { Variable } from "../../src/core/variable.js";
import { deserializeKerasObject } from "../../src/config/deserialize.js";
import { SeedGenerator } from "../../src/random/seed-generator.js";
import { PyFloat } from "../../src/utils/py-float.js";
import type { Arrays } from "./cases.js";
import { findTarget } from "./targets.js";

type Tagged = Record<string, unknown>;
const isObject = (x: unknown): x is Tagged => typeof x === "object" && x !== null && !Array.isArray(x);

/** A recorded array with its true dtype: bfloat16 and float8 lie in files as bit patterns. */
export async function decodeArray(value: Tagged, arrays: Arrays): Promise<NDArray> {
  const stored = await arrays(value["$a"] as string);
  const dtype = value["dtype"] as string;
  if (!isDType(dtype)) {
    if (dtype === "complex128") return stored;
    throw new Error(`The recorded dtype ${dtype} cannot be read.`);
  }
  return stored.dtype === dtype
    ? stored
    : new NDArray(stored.contiguous().data as TypedArray, value["shape"] as number[], dtype);
}

/** Turns a recorded value into what a caller in TypeScript would pass. Python's floats keep their marker where they are operands. */
export async function decode(value: unknown, arrays: Arrays): Promise<unknown> {
  if (Array.isArray(value)) return decodeList(value, arrays);
  if (!isObject(value)) return value;
  if ("$a" in value) {
    const array = await decodeArray(value, arrays);
    if (value["src"] === "np") return array;
    const tensor = fromHost(array);
    return value["src"] === "var"
      ? new Variable(tensor, { name: value["name"] as string, trainable: value["trainable"] as boolean })
      : tensor;
  }
  if ("$tuple" in value) return decodeList(value["$tuple"] as unknown[], arrays);
  if ("$set" in value) return decodeList(value["$set"] as unknown[], arrays);
  if ("$dict" in value) {
    const entries = value["$dict"] as [unknown, unknown][];
    const decoded = await Promise.all(
      entries.map(async ([k, v]) => [String(await decode(k, arrays)), await decode(v, arrays)] as const),
    );
    return Object.fromEntries(decoded);
  }
  if ("$float" in value) return new PyFloat(value["$float"] as number);
  if ("$f" in value) return { nan: NaN, inf: Infinity, "-inf": -Infinity }[value["$f"] as "nan"];
  if ("$int" in value) return BigInt(value["$int"] as string);
  if ("$c" in value) return new NDArray(Float32Array.from(value["$c"] as number[]), [], "complex64");
  if ("$np" in value) return NDArray.from((await decode(value["$np"], arrays)) as number, value["dtype"] as DType);
  if ("$kt" in value) {
    const { shape, dtype } = value["$kt"] as { shape: (number | null)[]; dtype: DType };
    return new KerasTensor(shape, dtype);
  }
  if ("$slice" in value) {
    const [start, stop, step] = (await decodeList(value["$slice"] as unknown[], arrays)) as (number | null)[];
    return { start, stop, step };
  }
  if ("$ellipsis" in value) return "...";
  if ("$dtype" in value) return value["$dtype"];
  if ("$type" in value) return value["$type"];
  if ("$range" in value) {
    const [start, stop, step] = value["$range"] as [number, number, number];
    return Array.from({ length: Math.max(0, Math.ceil((stop - start) / step)) }, (_, i) => start + i * step);
  }
  if ("$seedgen" in value) {
    const { seed, state } = value["$seedgen"] as { seed: number; state: Tagged };
    const generator = new SeedGenerator(seed);
    generator.state.assign(await decodeArray(state, arrays));
    return generator;
  }
  if ("$fn" in value || "$class" in value) return findTarget((value["$fn"] ?? value["$class"]) as string);
  if ("$keras" in value) return deserializeKerasObject(value["$keras"] as never);
  if ("$sa" in value) return nested(value["$sa"] as unknown[], value["shape"] as number[]);
  if ("$bytes" in value) return Uint8Array.from(Buffer.from(value["$bytes"] as string, "base64"));
  throw new Error(`Unknown recorded value: ${JSON.stringify(value).slice(0, 80)}`);
}
/** A flat list of elements as nested ones of a shape. */
function nested(items: readonly unknown[], [size, ...inner]: readonly number[]): unknown {
  if (size === undefined) return items[0];
  if (inner.length === 0) return items;
  const width = items.length / size;
  return Array.from({ length: size }, (_, i) => nested(items.slice(i * width, (i + 1) * width), inner));
}
const decodeList = (values: readonly unknown[], arrays: Arrays): Promise<unknown[]> =>
  Promise.all(values.map((v) => decode(v, arrays)));

/** Marks of Python floats are for operands: a list of floats is a float array, an option is a plain number. */
export function asOperand(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  if (holdsFloats(value)) return NDArray.from(plain(value) as NestedArray, "float32");
  // NumPy's scalars among plain numbers are numbers: sizes and axes.
  const numbers = value.some((x) => typeof x === "number");
  const scalar = (x: unknown): unknown => (x instanceof Tensor ? readNow(x, "decode") : x);
  return value.map((x) => {
    const given = numbers ? scalar(x) : x;
    return numbers && given instanceof NDArray && given.ndim === 0 ? given.numbers()[0] : asOperand(x);
  });
}
const isNumeric = (x: unknown): boolean =>
  Array.isArray(x) ? x.every(isNumeric) : typeof x === "number" || x instanceof PyFloat;
const holdsFloats = (x: unknown): boolean =>
  isNumeric(x) && JSON.stringify(x) !== undefined && (x as unknown[]).flat(Infinity).some((v) => v instanceof PyFloat);
/** The value without marks of Python floats. */
export function plain(value: unknown): unknown {
  if (value instanceof PyFloat) return value.value;
  if (value instanceof NDArray && value.ndim === 0) return value.numbers()[0];
  if (Array.isArray(value)) return value.map(plain);
  if (isObject(value) && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]));
  return value;
}
