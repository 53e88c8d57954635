import { KerasTensor } from "../../../src/core/keras-tensor.js";
import { NDArray } from "../../../src/core/ndarray.js";
import { Tensor } from "../../../src/core/tensor.js";
import { flatten, mapStructure } from "../../../src/tree/index.js";
import { Mismatch, compare } from "../compare.js";
import { decode } from "../decode.js";
import { findTarget } from "../targets.js";
import { decodeCall, type Kind } from "./kind.js";
import { opObject } from "./op-class.js";

interface Graph {
  readonly nodes: readonly {
    readonly op: string;
    readonly config: unknown;
    readonly args: readonly unknown[];
    readonly kwargs: Readonly<Record<string, unknown>>;
  }[];
  readonly outputs: readonly (readonly [node: number, output: number])[];
}
type Made = new (inputs: unknown, outputs: unknown) => (...args: unknown[]) => unknown;

/** `keras.Function`: a graph of ops, called on values or on symbolic tensors. */
export const graphFunction: Kind = {
  async replay(golden, arrays) {
    const Function = findTarget("keras.Function") as unknown as Made | null;
    if (!Function) throw new Mismatch("keras.Function does not exist");
    const { args } = await decodeCall(golden, arrays);
    const symbolic = (x: unknown): unknown =>
      x instanceof NDArray || x instanceof Tensor || x instanceof KerasTensor
        ? new KerasTensor(x.shape, x.dtype === "float64" ? "float32" : x.dtype)
        : x;
    const inputs = mapStructure(symbolic as never, args[0] as never);
    const sources = flatten<unknown>(inputs);
    const results: unknown[][] = [];
    const argument = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(argument);
      const ref = (value as { $ref?: ["in" | number, number] } | null)?.$ref;
      if (!ref) return value;
      return ref[0] === "in" ? sources[ref[1]] : results[ref[0]]![ref[1]];
    };
    const { nodes, outputs } = golden["graph"] as Graph;
    for (const node of nodes) {
      const config = (await decode(node.config, arrays)) as Record<string, unknown>;
      const call = opObject(node.op, config);
      const kwargs = Object.fromEntries(Object.entries(node.kwargs).map(([k, v]) => [k, argument(v)]));
      results.push(flatten<unknown>(call({ args: node.args.map(argument), kwargs })));
    }
    const ends = outputs.map(([node, output]) => results[node]![output]);
    const fn = new Function(inputs, like(golden.out, ends));
    await compare(fn(...args), golden.out, arrays);
  },
};

/** The outputs in the nesting of the recorded result, which the recorded graph does not hold. */
function like(recorded: unknown, ends: readonly unknown[]): unknown {
  const { $dict: entries, $tuple: items } = recorded as { $dict?: [string, unknown][]; $tuple?: unknown[] };
  if (entries)
    return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key], i) => [key, ends[i]]));
  return items || Array.isArray(recorded) ? [...ends] : ends[0];
}
