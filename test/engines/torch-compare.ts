import { expect } from "vitest";
import numpy from "../../src/backend/numpy/index.js";
import { Dice } from "../../src/backend/numpy/testing.js";
import { itRequires } from "../support/require.js";
import type { Value } from "../../src/backend/torch/value.js";
import type { DType, TensorSpec } from "../../src/core/dtype.js";
import type { Engine } from "../../src/core/engine.js";
import { NDArray, sizeOf } from "../../src/core/ndarray.js";
import type { Program } from "../../src/core/program.js";
import { type PrimitiveName, primitives } from "../../src/primitives/index.js";

export const dice = new Dice(11);
const specials = [0, -0, 1, -1, 0.5, 2.5, -2.5, 1e-8, -1e-8, 88, -88, 1e10, -1e10, 3e38, Infinity, -Infinity, NaN];
const integers = [0, 1, -1, 2, 3, 5, 7, 31, 32, 33, 100, 127, -128, 128, 255, 256, 32767, -32768, 65535, 65536];
const extremes = [2147483647, -2147483648, 4294967295];

/** An array of `dtype` with ordinary values, among them, on request, those where engines like to differ. */
export function some(dtype: DType, shape: readonly number[], withSpecials = false): NDArray {
  const isInt = dtype.includes("int");
  const next = (): number => {
    if (dtype === "bool") return dice.below(2);
    if (!withSpecials || dice.below(2) === 0) return isInt ? dice.below(200) - 100 : (dice.below(2001) - 1000) / 250;
    const pool = isInt ? [...integers, ...extremes] : specials;
    return pool[dice.below(pool.length)]!;
  };
  const values = Array.from({ length: sizeOf(shape) }, next);
  if (dtype === "complex64") {
    const data = Float32Array.from({ length: 2 * values.length }, next);
    return new NDArray(data, shape, dtype);
  }
  const wide = isInt ? Float64Array.from(values) : Float32Array.from(values);
  const array = new NDArray(wide, shape, isInt ? "float64" : "float32");
  if (!isInt) return array.astype(dtype);
  const out = NDArray.zeros(shape, dtype);
  for (let i = 0; i < values.length; i++) out.data[i] = wide[i]!;
  return out;
}

const numbersOf = (x: NDArray): ArrayLike<number> =>
  x.dtype === "complex64" ? (x.contiguous().data as Float32Array) : x.numbers();

interface Tolerance {
  /** Allowed distance relative to 1 + |expected|; 0 asks for the same bits, but for those of NaN. */
  readonly within?: number;
  /** Whether 0 may be -0. */
  readonly signOfZero?: boolean;
}

function expectSame(name: string, got: NDArray, want: NDArray, { within = 0, signOfZero = true }: Tolerance): void {
  expect(got.shape).toEqual(want.shape);
  expect(got.dtype).toBe(want.dtype);
  const [a, b] = [numbersOf(got), numbersOf(want)];
  for (let i = 0; i < b.length; i++) {
    const [x, y] = [a[i]!, b[i]!];
    if (Object.is(x, y) || (!signOfZero && x === y)) continue;
    if (Math.abs(x - y) <= within * (1 + Math.abs(y)) && (x !== 0 || y !== 0)) continue;
    if (x === 0 && y === 0 && within > 0 && !signOfZero) continue;
    expect.fail(`${name}: element ${i} is ${Object.is(x, -0) ? "-0" : x}, expected ${Object.is(y, -0) ? "-0" : y}`);
  }
}

function programOf(
  op: string,
  arrays: readonly NDArray[],
  attributes: object,
  outputs: readonly TensorSpec[],
): Program {
  const inputs = arrays.map((_, i) => i);
  const results = outputs.map((_, i) => arrays.length + i);
  return {
    values: [...arrays.map(({ shape, dtype }) => ({ shape, dtype })), ...outputs],
    inputs,
    constants: [],
    instructions: [{ op, inputs, outputs: results, attributes }],
    outputs: results,
  };
}

/** Runs a primitive on the torch engine, eagerly and compiled, and on the built-in one; nothing may stay behind. */
function compare(
  torch: Engine,
  live: () => number,
  op: PrimitiveName,
  arrays: readonly NDArray[],
  attributes: object = {},
  tolerance: Tolerance = {},
): void {
  const outputs = primitives[op].infer(arrays, attributes as never).map(({ shape, dtype }) => ({ shape, dtype }));
  const wanted = numpy.kernels[op](arrays, attributes as never, outputs);
  const before = live();
  const operands = arrays.map((array) => torch.fromHost(array) as Value);
  const shapes = arrays.map((x) => `${x.dtype}[${x.shape}]`).join(" ");
  const name = `${op} ${shapes} ${JSON.stringify(attributes)}`;
  const eager = torch.execute(op, operands, attributes, outputs) as Value[];
  const executable = torch.compile(programOf(op, arrays, attributes, outputs));
  const compiled = executable.run(operands) as Value[];
  for (const results of [eager, compiled])
    results.forEach((result, i) => expectSame(name, result.toHost(), wanted[i]!, tolerance));
  for (const x of [...operands, ...eager, ...compiled]) x.release();
  executable.dispose();
  expect(live(), `${name} leaves tensors behind`).toBe(before);
}

/** The engine and how many tensors it holds; loaded by the tests that need it, since it throws without libtorch. */
export async function torch(): Promise<{ engine: Engine; live: () => number }> {
  const { default: engine } = await import("../../src/backend/torch/index.js");
  const { addon } = await import("../../src/backend/torch/library.js");
  return { engine, live: () => addon.liveTensors() };
}
/** A test with a comparison of a primitive on both engines. */
export type Compare = (
  op: PrimitiveName,
  arrays: readonly NDArray[],
  attributes?: object,
  tolerance?: Tolerance,
) => void;
export const compares = (name: string, body: (same: Compare) => void): void =>
  itRequires("libtorch", name, async () => {
    const { engine, live } = await torch();
    body((op, arrays, attributes, tolerance) => compare(engine, live, op, arrays, attributes, tolerance));
  });
export const times = (n: number, run: () => void): void => {
  for (let i = 0; i < n; i++) run();
};
