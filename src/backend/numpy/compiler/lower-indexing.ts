import type { DType } from "../../../core/dtype.js";
import { dtypeBytes } from "../../../core/dtype.js";
import { sizeOf } from "../../../core/ndarray.js";
import type { OutOfRange, ScatterAttributes, TakeAttributes } from "../../../primitives/index.js";
import { isSplat } from "./graph.js";
import type { Lower } from "./lower.js";
import { type Lowering, maxAxes } from "./lowering.js";
import { isWhole, type View, wholeOf } from "./view.js";

/** Bits of what an index outside reads; null where the kernel has no words for it. */
function fillBits(dtype: DType, mode: OutOfRange): number | null {
  if (mode === "clip" || mode === "zero") return 0;
  const bits: Partial<Record<DType, number>> = { float32: 0x7fc00000, int32: 0x80000000 | 0, uint32: -1 };
  return bits[dtype] ?? null;
}
/** Where a view begins, in the heap. */
export const addressOf = (of: Float64Array, { root, offset, dtype }: View): number =>
  of[root.id]! + dtypeBytes(dtype) * offset;

/** A step that reads `x` at indices: `run` is given the addresses of both and of the result. */
function pick(
  lowering: Lowering,
  name: string,
  x: View,
  indices: View,
  outputs: readonly number[],
  run: (from: number, index: number, to: number) => void,
): true {
  const writes = lowering.results(outputs);
  lowering.step(
    {
      name,
      reads: [x, indices],
      writes,
      prepare:
        ({ of }) =>
        () =>
          run(addressOf(of, x), addressOf(of, indices), of[writes[0]!.id]!),
    },
    outputs,
  );
  return true;
}

/** Rows of `x` at the indices, `outer` times. */
function takeRows(
  lowering: Lowering,
  name: string,
  [xId, indicesId]: readonly number[],
  outputs: readonly number[],
  { axis, mode }: TakeAttributes,
): boolean {
  const { shape, dtype } = lowering.spec(xId!);
  const rowBytes = sizeOf(shape.slice(axis + 1)) * dtypeBytes(dtype);
  const [outer, rows] = [sizeOf(shape.slice(0, axis)), shape[axis]!];
  const fill = fillBits(dtype, mode);
  const count = sizeOf(lowering.spec(indicesId!).shape);
  if (fill === null || rowBytes === 0 || rowBytes % 4 !== 0 || rows === 0 || count === 0) return false;
  const [x, indices] = [xId!, indicesId!].map((id) => lowering.contiguous(lowering.view(id))) as [View, View];
  if (indices.dtype !== "int32") return false;
  return pick(lowering, name, x, indices, outputs, (from, index, to) =>
    lowering.wasm.takeRows(from, rows, rowBytes, index, count, to, mode === "clip" ? "clip" : "fill", fill, outer),
  );
}

/** Elements of 32 bits picked along an axis. */
const lowerTakeAlong: Lower = (lowering, { inputs, outputs, attributes }) => {
  const { axis, mode } = attributes as TakeAttributes;
  const [x, indices] = inputs.map((id) => lowering.contiguous(lowering.view(id))) as [View, View];
  const fill = fillBits(x.dtype, mode);
  if (fill === null || dtypeBytes(x.dtype) !== 4 || indices.dtype !== "int32" || x.shape.includes(0)) return false;
  const outer = sizeOf(indices.shape.slice(0, axis));
  const [rows, n, inner] = [x.shape[axis]!, indices.shape[axis]!, sizeOf(indices.shape.slice(axis + 1))];
  return pick(lowering, "takeAlongAxis", x, indices, outputs, (from, index, to) =>
    lowering.wasm.takeAlong(from, rows, inner, index, n, to, mode === "clip" ? "clip" : "fill", fill, outer),
  );
};

/** `x` with rows added at the indices; in place where `x` is not needed any more. */
const lowerScatter: Lower = (lowering, { inputs, outputs, attributes }) => {
  const { mode } = attributes as ScatterAttributes;
  const [xId, indicesId, updatesId] = inputs as [number, number, number];
  const { shape, dtype } = lowering.spec(xId);
  const indexShape = lowering.spec(indicesId).shape;
  const [width, count] = [sizeOf(shape.slice(1)), sizeOf(indexShape)];
  if (mode !== "add" || dtype !== "float32" || indexShape.at(-1) !== 1 || width === 0 || count === 0) return false;
  const operand = lowering.operand(xId);
  const start = isSplat(operand) ? operand.splat : lowering.contiguous(operand);
  const [indices, updates] = [indicesId, updatesId].map((id) => lowering.contiguous(lowering.view(id))) as [View, View];
  if (indices.dtype !== "int32") return false;
  const writes = lowering.results(outputs);
  const [root] = writes;
  const { wasm } = lowering;
  const step = {
    name: "scatter",
    reads: [...(typeof start === "number" ? [] : [start]), indices, updates],
    writes,
    prepare:
      ({ of }: { of: Float64Array }) =>
      () => {
        const to = of[root!.id]!;
        if (typeof start === "number") wasm.fill(to, 4 * root!.size, Float32Array.of(start));
        else lowering.move(addressOf(of, start), to, 4 * root!.size);
        wasm.scatterAddRows(to, shape[0]!, width, addressOf(of, indices), count, addressOf(of, updates));
      },
  };
  lowering.step(typeof start !== "number" && isWhole(start) ? { ...step, inPlace: start } : step, outputs);
  return true;
};

/** Where the window of a dynamic slice begins, in elements: read when it runs, and moved inside. */
function windowStart(
  lowering: Lowering,
  start: View,
  of: Float64Array,
  room: readonly number[],
  strides: readonly number[],
): number {
  const wanted = lowering.wasm.heap.view(addressOf(of, start), "int32", room.length);
  return room.reduce((sum, most, axis) => sum + Math.max(0, Math.min(most, wanted[axis]!)) * strides[axis]!, 0);
}

const lowerDynamicSlice: Lower = (lowering, { inputs, outputs }) => {
  const x = lowering.view(inputs[0]!);
  const start = lowering.contiguous(lowering.view(inputs[1]!));
  const { shape, dtype } = lowering.spec(outputs[0]!);
  if (start.dtype !== "int32" || shape.length > maxAxes) return false;
  const writes = lowering.results(outputs);
  const room = x.shape.map((d, i) => d - shape[i]!);
  const bytes = dtypeBytes(dtype) as 1 | 2 | 4 | 8;
  const { strides } = wholeOf(writes[0]!, shape);
  lowering.step(
    {
      name: "dynamicSlice",
      reads: [x, start],
      writes,
      prepare:
        ({ of }) =>
        () => {
          const from = addressOf(of, x) + bytes * windowStart(lowering, start, of, room, x.strides);
          lowering.wasm.copyStrided(bytes, shape, from, x.strides, of[writes[0]!.id]!, strides);
        },
    },
    outputs,
  );
  return true;
};

/** `x` with a window replaced; in place where `x` is not needed any more. */
const lowerDynamicUpdate: Lower = (lowering, { inputs, outputs }) => {
  const x = lowering.contiguous(lowering.view(inputs[0]!));
  const update = lowering.view(inputs[1]!);
  const start = lowering.contiguous(lowering.view(inputs[2]!));
  const { shape, dtype } = lowering.spec(outputs[0]!);
  if (start.dtype !== "int32" || shape.length > maxAxes) return false;
  const writes = lowering.results(outputs);
  const room = shape.map((d, i) => d - update.shape[i]!);
  const bytes = dtypeBytes(dtype) as 1 | 2 | 4 | 8;
  const { strides } = wholeOf(writes[0]!, shape);
  const step = {
    name: "dynamicUpdateSlice",
    reads: [x, update, start],
    writes,
    prepare:
      ({ of }: { of: Float64Array }) =>
      () => {
        const to = of[writes[0]!.id]!;
        lowering.move(addressOf(of, x), to, bytes * writes[0]!.size);
        const at = to + bytes * windowStart(lowering, start, of, room, strides);
        lowering.wasm.copyStrided(bytes, update.shape, addressOf(of, update), update.strides, at, strides);
      },
  };
  lowering.step(isWhole(x) ? { ...step, inPlace: x } : step, outputs);
  return true;
};

/** Picking rows and adding to them, and random bits, by the compiled kernels. */
export const lowerIndexing: Readonly<Record<string, Lower>> = {
  take: (lowering, { inputs, outputs, attributes }) =>
    takeRows(lowering, "take", inputs, outputs, attributes as TakeAttributes),
  gather: (lowering, { inputs, outputs, attributes }) =>
    lowering.spec(inputs[1]!).shape.at(-1) === 1 &&
    takeRows(lowering, "gather", inputs, outputs, { axis: 0, ...(attributes as { mode: OutOfRange }) }),
  takeAlongAxis: lowerTakeAlong,
  scatter: lowerScatter,
  dynamicSlice: lowerDynamicSlice,
  dynamicUpdateSlice: lowerDynamicUpdate,
  randomBits: (lowering, { inputs, outputs, attributes }) => {
    const key = lowering.contiguous(lowering.view(inputs[0]!));
    const size = sizeOf((attributes as { shape: readonly number[] }).shape);
    const keys = sizeOf(key.shape) / 2;
    if (key.dtype !== "uint32" || size === 0 || size > 0xffffffff) return false;
    const writes = lowering.results(outputs);
    const { wasm } = lowering;
    lowering.step(
      {
        name: "randomBits",
        reads: [key],
        writes,
        prepare:
          ({ of }) =>
          () => {
            const words = wasm.heap.view(addressOf(of, key), "int32", 2 * keys);
            for (let i = 0; i < keys; i++)
              wasm.threefry(words[2 * i]!, words[2 * i + 1]!, 0, size, of[writes[0]!.id]! + 4 * size * i);
          },
      },
      outputs,
    );
    return true;
  },
};
