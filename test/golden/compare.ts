import type { DType } from "../../src/core/dtype.js";
import { KerasTensor } from "../../src/core/keras-tensor.js";
import { NDArray } from "../../src/core/ndarray.js";
import { Tensor } from "../../src/core/tensor.js";
import { Variable } from "../../src/core/variable.js";
import { PyFloat } from "../../src/utils/py-float.js";
import { type Arrays } from "./cases.js";
import { decodeArray } from "./decode.js";

type Tagged = Record<string, unknown>;
const narrow: ReadonlySet<string> = new Set(["float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"]);
const shrunk: Record<string, string> = {
  int64: "int32",
  uint64: "uint32",
  float64: "float32",
  complex128: "complex64",
};

export class Mismatch extends Error {}
const fail = (where: string, message: string): never => {
  throw new Mismatch(`${where}: ${message}`);
};

/** All components of an array: pairs of complex ones count twice. */
function components(x: NDArray): ArrayLike<number> {
  return x.dtype === "complex64" ? (x.contiguous().data as Float32Array) : x.numbers();
}

/** Throws a Mismatch unless `actual` has the recorded shape, dtype and, within 1e-4 (1e-2 for narrow floats), values. */
export function compareArrays(
  actual: NDArray,
  expected: NDArray,
  where: string,
  { valuesToo = true, strictDType = true, tolerance = null as number | null } = {},
): void {
  const wantedDType = shrunk[expected.dtype] ?? expected.dtype;
  // Host arrays keep 64 bits, as NumPy's do.
  if (strictDType && actual.dtype !== wantedDType && actual.dtype !== expected.dtype)
    fail(where, `dtype ${actual.dtype}, expected ${wantedDType}`);
  if (actual.shape.length !== expected.shape.length || actual.shape.some((d, i) => d !== expected.shape[i]))
    fail(where, `shape [${actual.shape}], expected [${expected.shape}]`);
  if (!valuesToo) return;
  const limit = tolerance ?? (narrow.has(actual.dtype) || narrow.has(expected.dtype) ? 1e-2 : 1e-4);
  const [a, e] = [components(actual), components(expected)];
  for (let i = 0; i < e.length; i++) {
    const [x, y] = [a[i]!, e[i]!];
    if (x === y || (Number.isNaN(x) && Number.isNaN(y))) continue;
    if (!(Math.abs(x - y) <= limit + limit * Math.abs(y))) fail(where, `element ${i} is ${x}, expected ${y}`);
  }
}

const toHost = async (x: unknown): Promise<NDArray | null> => {
  if (x instanceof NDArray) return x;
  if (x instanceof Tensor) return x.data();
  if (x instanceof Variable) return x.numpy();
  if (ArrayBuffer.isView(x)) return NDArray.from(x as Float32Array);
  return null;
};

/** Compares a result with a recorded value, structure by structure. */
export async function compare(
  actual: unknown,
  expected: unknown,
  arrays: Arrays,
  where = "out",
  options: { valuesToo?: boolean; tolerance?: number | null } = {},
): Promise<void> {
  if (Array.isArray(expected)) return compareLists(actual, expected, arrays, where, options);
  if (typeof expected !== "object" || expected === null) return comparePlain(actual, expected, where);
  const value = expected as Tagged;
  if ("$a" in value) {
    const wanted = await decodeArray(value, arrays);
    const host = await toHost(actual);
    if (host) return compareArrays(host, wanted, where, options);
    if (typeof actual === "number" || typeof actual === "boolean")
      return compareArrays(NDArray.from(actual), wanted, where, { ...options, strictDType: false });
    if (Array.isArray(actual))
      return compareArrays(NDArray.from(actual as number[]), wanted, where, { ...options, strictDType: false });
    return fail(where, `${String(actual)} is no array`);
  }
  if ("$tuple" in value) return compareLists(actual, value["$tuple"] as unknown[], arrays, where, options);
  if ("$sa" in value) return compareLists([actual].flat(Infinity), value["$sa"] as unknown[], arrays, where, options);
  if ("$set" in value) return compareLists(actual, value["$set"] as unknown[], arrays, where, options);
  if ("$dict" in value) {
    for (const [key, item] of value["$dict"] as [string, unknown][]) {
      const found = actual instanceof Map ? actual.get(key) : (actual as Tagged | null)?.[key];
      await compare(found, item, arrays, `${where}.${key}`, options);
    }
    return;
  }
  if ("$kt" in value) {
    const { shape, dtype } = value["$kt"] as { shape: (number | null)[]; dtype: DType };
    if (!(actual instanceof KerasTensor)) return fail(where, "expected a symbolic tensor");
    const text = (s: readonly (number | null)[]): string => `[${s.map(String).join(", ")}]`;
    if (text(actual.shape) !== text(shape)) return fail(where, `shape ${text(actual.shape)}, expected ${text(shape)}`);
    if (actual.dtype !== (shrunk[dtype] ?? dtype)) return fail(where, `dtype ${actual.dtype}, expected ${dtype}`);
    return;
  }
  if ("$float" in value) return comparePlain(actual, value["$float"], where);
  if ("$f" in value)
    return comparePlain(actual, { nan: NaN, inf: Infinity, "-inf": -Infinity }[value["$f"] as "nan"], where);
  if ("$np" in value) {
    const host = await toHost(actual);
    const inner = value["$np"] as unknown;
    return comparePlain(
      host ? Number(host.numbers()[0]) : actual,
      typeof inner === "object" ? (inner as Tagged)["$float"] : inner,
      where,
    );
  }
  if ("$dtype" in value || "$type" in value) return comparePlain(actual, value["$dtype"] ?? value["$type"], where);
  return fail(where, `recorded value cannot be compared: ${JSON.stringify(value).slice(0, 80)}`);
}

async function compareLists(
  actual: unknown,
  expected: readonly unknown[],
  arrays: Arrays,
  where: string,
  options: object,
): Promise<void> {
  if (actual instanceof NDArray && expected.every((x) => typeof x === "number"))
    return comparePlainList([...actual.numbers()], expected as number[], where);
  if (!Array.isArray(actual) && !(ArrayBuffer.isView(actual) && !(actual instanceof DataView)))
    return fail(where, `expected ${expected.length} values, received ${String(actual)}`);
  const list = [...(actual as ArrayLike<unknown> & Iterable<unknown>)];
  if (list.length !== expected.length) return fail(where, `${list.length} values, expected ${expected.length}`);
  for (let i = 0; i < expected.length; i++) await compare(list[i], expected[i], arrays, `${where}[${i}]`, options);
}
function comparePlainList(actual: readonly number[], expected: readonly number[], where: string): void {
  if (actual.length !== expected.length) fail(where, `${actual.length} values, expected ${expected.length}`);
  actual.forEach((x, i) => comparePlain(x, expected[i], `${where}[${i}]`));
}
async function comparePlain(given: unknown, expected: unknown, where: string): Promise<void> {
  const host = await toHost(given);
  const actual =
    host && host.size === 1
      ? host.dtype === "bool"
        ? host.numbers()[0] !== 0
        : host.numbers()[0]
      : given instanceof PyFloat
        ? given.value
        : given;
  if (typeof expected === "number" && typeof actual === "number") {
    if (
      Object.is(actual, expected) ||
      (Number.isNaN(actual) && Number.isNaN(expected)) ||
      Math.abs(actual - expected) <= 1e-4 + 1e-4 * Math.abs(expected)
    )
      return;
  } else if ((actual ?? null) === (expected ?? null)) return;
  fail(where, `${String(actual)}, expected ${String(expected)}`);
}
