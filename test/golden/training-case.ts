import { readFileSync } from "node:fs";
import { join } from "node:path";
import { NDArray } from "../../src/core/ndarray.js";
import type { Variable } from "../../src/core/variable.js";
import { openNpz } from "../../src/formats/npz.js";
import type { Model } from "../../src/models/index.js";
import { loadModel } from "../../src/saving/index.js";
import { flatten } from "../../src/tree/index.js";

type Results = Record<string, number | number[]>;
interface Expected {
  readonly batch: number;
  readonly tolerance: number;
  readonly x_structure: number | readonly string[] | null;
  readonly y_structure: number | readonly string[] | null;
  readonly logs: readonly Results[];
  readonly evaluate: Results;
  readonly fit: Readonly<Record<string, readonly number[]>>;
}
type Data = NDArray | readonly NDArray[] | Readonly<Record<string, NDArray>>;

/** Throws unless all values agree within `tolerance`, absolute and relative. */
function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number, where: string): void {
  if (actual.length !== expected.length)
    throw new Error(`${where}: ${actual.length} values, expected ${expected.length}`);
  for (let i = 0; i < expected.length; i++) {
    const [a, e] = [actual[i]!, expected[i]!];
    if (a === e || (Number.isNaN(a) && Number.isNaN(e))) continue;
    if (!(Math.abs(a - e) <= tolerance + tolerance * Math.abs(e)))
      throw new Error(`${where}: element ${i} is ${a}, expected ${e}`);
  }
}
const list = (value: number | readonly number[] | undefined): readonly number[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as number[]) : [value as number];
function expectResults(actual: Results, expected: Results, tolerance: number, where: string): void {
  const names = Object.keys(expected).sort();
  const found = Object.keys(actual).sort();
  if (names.join() !== found.join())
    throw new Error(`${where}: results ${found.join(", ")}, expected ${names.join(", ")}`);
  for (const name of names) expectClose(list(actual[name]), list(expected[name]), tolerance, `${where} ${name}`);
}

/** Rows of an array in the given order. */
function rows(array: NDArray, indices: readonly number[]): NDArray {
  const source = array.contiguous();
  const row = source.size / source.shape[0]!;
  const out = NDArray.zeros([indices.length, ...source.shape.slice(1)], source.dtype);
  indices.forEach((index, i) =>
    (out.data as Float32Array).set((source.data as Float32Array).subarray(index * row, (index + 1) * row), i * row),
  );
  return out;
}
const mapData = (data: Data, fn: (array: NDArray) => NDArray): Data =>
  data instanceof NDArray
    ? fn(data)
    : Array.isArray(data)
      ? (data as NDArray[]).map(fn)
      : Object.fromEntries(Object.entries(data as Record<string, NDArray>).map(([key, array]) => [key, fn(array)]));
const structured = (structure: Expected["x_structure"], leaves: readonly NDArray[]): Data =>
  structure === null
    ? leaves[0]!
    : typeof structure === "number"
      ? leaves
      : Object.fromEntries([...structure].sort().map((name, i) => [name, leaves[i]!]));

/** Weights, then the optimizer's state; without the counter and the rate, which are compared through what they do. */
const stateOf = (model: Model): Variable[] => [...model.weights, ...(model.optimizer?.variables ?? [])];

/** Trains a recorded model step by step and compares logs, evaluation, predictions, final state and two epochs of `fit`. */
export async function runTrainingCase(folder: string): Promise<void> {
  const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as Expected;
  const { tolerance, batch } = expected;
  const archive = openNpz(readFileSync(join(folder, "data.npz")), { source: "data.npz" });
  const names = [...archive.names];
  const read = async (prefix: string): Promise<NDArray[]> =>
    Promise.all(
      names
        .filter((name) => new RegExp(`^${prefix}\\d+$`).test(name))
        .sort()
        .map((name) => archive.read(name)),
    );
  const x = structured(expected.x_structure, await read("x"));
  const y = structured(expected.y_structure, await read("y"));
  const sampleWeight = names.includes("sample_weight") ? await archive.read("sample_weight") : null;
  const count = flatten<NDArray>(x as never)[0]!.shape[0]!;

  const model = (await loadModel(join(folder, "initial.keras"))) as Model;
  for (const [step, logs] of expected.logs.entries()) {
    const indices = Array.from({ length: batch }, (_, i) => (i + step * batch) % count);
    const take = (array: NDArray): NDArray => rows(array, indices);
    const results = await model.trainOnBatch(mapData(x, take), mapData(y, take) as never, {
      returnDict: true,
      ...(sampleWeight && { sampleWeight: take(sampleWeight) }),
    });
    expectResults(results, logs, tolerance, `step ${step}`);
  }
  const options = { batchSize: batch, verbose: 0 as const, ...(sampleWeight && { sampleWeight }) };
  expectResults(
    await model.evaluate(x, y as never, { ...options, returnDict: true }),
    expected.evaluate,
    tolerance,
    "evaluate",
  );

  const predictions = flatten<NDArray>((await model.predict<unknown>(x, { batchSize: batch, verbose: 0 })) as never);
  const recorded = openNpz(readFileSync(join(folder, "predict.npz")), { source: "predict.npz" });
  for (const [i, array] of predictions.entries())
    expectClose(array.numbers(), (await recorded.read(`p${i}`)).numbers(), tolerance, `prediction ${i}`);

  const final = (await loadModel(join(folder, "final.keras"))) as Model;
  const [own, wanted] = [stateOf(model), stateOf(final)];
  if (own.length !== wanted.length)
    throw new Error(`${own.length} variables after training, expected ${wanted.length}`);
  for (const [i, variable] of own.entries())
    expectClose(
      (await variable.numpy()).numbers(),
      (await wanted[i]!.numpy()).numbers(),
      tolerance,
      `final ${variable.path}`,
    );

  const { history } = await model.fit(x, y as never, { ...options, epochs: 2, shuffle: false });
  const means = Object.fromEntries(
    Object.entries(history).map(([name, values]) => [
      name,
      values.map((value) => list(value).reduce((sum, v) => sum + v, 0) / list(value).length),
    ]),
  );
  // Differences of 1e-4 may have grown by now.
  expectResults(means, expected.fit as Results, Math.max(tolerance, 1e-3), "fit");
}
