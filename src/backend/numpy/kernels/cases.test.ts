import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { DType } from "../../../core/dtype.js";
import { allocate, NDArray, sizeOf } from "../../../core/ndarray.js";
import { primitives } from "../../../primitives/index.js";
import type { PrimitiveName } from "../../../primitives/index.js";
import type { Kernel } from "../../backend.js";
import { accelerator } from "../accelerator.js";
import { EagerHeap } from "../eager.js";
import backend from "../index.js";

interface Encoded {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly bits: string;
}
interface Case {
  readonly op: PrimitiveName;
  readonly attributes: object;
  /** Places in the list of arrays. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** Units in the last place that results may differ by. */
  readonly ulps?: number;
}
const { arrays, cases } = JSON.parse(
  readFileSync(new URL("../../../../test/golden/numpy-kernels.json", import.meta.url), "utf8"),
) as {
  readonly arrays: readonly Encoded[];
  readonly cases: readonly Case[];
};

function decode(place: number): NDArray {
  const { dtype, shape, bits } = arrays[place]!;
  const data = allocate(dtype, sizeOf(shape));
  new Uint8Array(data.buffer).set(Buffer.from(bits, "base64"));
  return new NDArray(data, shape, dtype);
}

/** The same values with axes lying the other way round in memory, gaps between elements, and an offset. */
function scattered(x: NDArray): NDArray {
  const width = x.dtype === "complex64" ? 2 : 1;
  const strides = new Array<number>(x.ndim);
  let step = 2;
  for (let axis = 0; axis < x.ndim; axis++) {
    strides[axis] = step;
    step *= x.shape[axis]! + 1;
  }
  const out = new NDArray(allocate(x.dtype, step + 3), x.shape, x.dtype, strides, 3);
  const visit = (axis: number, at: number, from: number): void => {
    if (axis < x.ndim) {
      for (let i = 0; i < x.shape[axis]!; i++) visit(axis + 1, at + i * strides[axis]!, from + i * x.strides[axis]!);
    } else for (let k = 0; k < width; k++) out.data[at * width + k] = x.data[from * width + k]!;
  };
  visit(0, 3, 0);
  return out;
}

/** The same values as a view into a longer dense array. */
function shifted(x: NDArray): NDArray {
  const width = x.dtype === "complex64" ? 2 : 1;
  const data = allocate(x.dtype, x.size + 4);
  (data as Float32Array).set(x.data as Float32Array, 2 * width);
  return new NDArray(data, x.shape, x.dtype, x.strides, 2);
}

/** Distance of two numbers in units of the last place of their format; infinite between NaN and a number. */
function distance(a: number, b: number, dtype: DType): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b) ? 0 : Infinity;
  if (a === b) return Object.is(a, b) ? 0 : 0.5;
  const digits = { float16: 10, bfloat16: 7, float32: 23, complex64: 23 }[dtype as string] ?? 0;
  const lowest = { float16: -14, bfloat16: -126, float32: -126, complex64: -126 }[dtype as string] ?? 0;
  const exponent = Math.max(lowest, Math.floor(Math.log2(Math.max(Math.abs(a), Math.abs(b)))));
  return Math.abs(a - b) / 2 ** (exponent - digits);
}

const numbersOf = (x: NDArray): Float64Array =>
  x.dtype === "complex64" ? Float64Array.from(x.copy().data as Float32Array) : x.numbers();

type Run = Kernel<NDArray, object>;
const plainly = (op: PrimitiveName): Run => backend.kernels[op] as Run;
const heap = new EagerHeap(accelerator()!, (program) => backend.compile(program), 0);
/** On the WebAssembly heap, where that has a kernel for the op. */
const onHeap =
  (op: PrimitiveName): Run =>
  (inputs, attributes, specs) =>
    heap.run(op, inputs, attributes, specs) ?? plainly(op)(inputs, attributes, specs);

function check(
  { op, attributes, inputs, outputs, ulps = 0 }: Case,
  arrange: (x: NDArray) => NDArray,
  run: Run = plainly(op),
  slack = 0,
): void {
  const operands = inputs.map((x) => arrange(decode(x)));
  const expected = outputs.map(decode);
  const before = operands.map((x) => x.copy());
  const specs = primitives[op].infer(operands, attributes as never);
  const results = run(operands, attributes, specs);
  expect(results.length).toBe(expected.length);
  results.forEach((result, k) => {
    const want = expected[k]!;
    expect([result.dtype, ...result.shape]).toEqual([want.dtype, ...want.shape]);
    expect([specs[k]!.dtype, ...specs[k]!.shape]).toEqual([want.dtype, ...want.shape]);
    const [a, b] = [numbersOf(result), numbersOf(want)];
    // Parts of a complex number are compared at the scale of the greater.
    const complex = want.dtype === "complex64";
    for (let i = 0; i < a.length; i++) {
      const off = distance(a[i]!, b[i]!, want.dtype);
      if (
        off <= ulps + slack ||
        (complex && Math.abs(a[i]! - b[i]!) <= ulps * 2 ** -23 * Math.hypot(b[i & -2]!, b[i | 1]!))
      )
        continue;
      const given = operands.map((x) => numbersOf(x).subarray(0, 64).toString()).join(" and ");
      expect.fail(
        `${op} ${JSON.stringify(attributes)} [${i}]: ${a[i]} in place of ${b[i]} (${off} units) for ${given}`,
      );
    }
  });
  operands.forEach((x, k) => expect(x.copy().data, "a kernel wrote to its input").toEqual(before[k]!.data));
}

const byOp = new Map<PrimitiveName, Case[]>();
for (const recorded of cases) byOp.set(recorded.op, [...(byOp.get(recorded.op) ?? []), recorded]);

describe.each([...byOp.keys()])("%s", (op) => {
  const own = byOp.get(op)!;
  const inputs = own[0]!.inputs.length > 0;
  it(`gives what JAX does in ${own.length} cases`, () => own.forEach((c) => check(c, (x) => x)));
  if (inputs) {
    it("reads operands with any strides", () => own.forEach((c) => check(c, scattered)));
    it("gives the same on the WebAssembly heap", () =>
      own.forEach((c) => {
        // Partial sums are float32 there, and the sign of a zero that equals another may differ.
        const slack = op === "sum" ? 16 : c.ulps ? 2 : 0.5;
        check(c, (x) => x, onHeap(op), slack);
      }));
    it("reads operands at an offset", () => own.forEach((c) => check(c, shifted)));
  }
});
