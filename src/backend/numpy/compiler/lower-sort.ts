import type { DType } from "../../../core/dtype.js";
import { sizeOf } from "../../../core/ndarray.js";
import type { SortAttributes, TopKAttributes } from "../../../primitives/sort.js";
import type { SortDType } from "../wasm/kernels.js";
import type { Lower } from "./lower.js";
import { addressOf } from "./lower-indexing.js";
import { transposeView, wholeOf } from "./view.js";

const isSortable = (dtype: DType): dtype is SortDType => dtype === "float32" || dtype === "int32" || dtype === "uint32";
/** Sorts rows: the axis is brought to the end, and the result seen with it where it belongs. */
const sorting =
  (kernel: "sortRows" | "argSortRows"): Lower =>
  (lowering, { op, inputs, outputs, attributes }) => {
    const { axis, descending } = attributes as SortAttributes;
    const given = lowering.view(inputs[0]!);
    const { dtype, shape } = given;
    if (!isSortable(dtype) || sizeOf(shape) === 0) return false;
    const order = [...shape.keys()].filter((i) => i !== axis);
    order.push(axis);
    const rows = lowering.contiguous(transposeView(given, order));
    const n = shape[axis]!;
    const count = sizeOf(shape) / n;
    const root = lowering.root(lowering.spec(outputs[0]!).dtype, sizeOf(shape));
    const { wasm } = lowering;
    lowering.step({
      name: op,
      reads: [rows],
      writes: [root],
      prepare:
        ({ of }) =>
        () =>
          wasm[kernel](dtype, descending, addressOf(of, rows), of[root.id]!, count, n),
    });
    const back = [...shape.keys()].map((i) => order.indexOf(i));
    lowering.define(outputs[0]!, transposeView(wholeOf(root, rows.shape), back));
    return true;
  };

const lowerTopK: Lower = (lowering, { op, inputs, outputs, attributes }) => {
  const { k } = attributes as TopKAttributes;
  const x = lowering.contiguous(lowering.view(inputs[0]!));
  const { dtype, shape } = x;
  if (!isSortable(dtype) || sizeOf(shape) === 0 || k === 0) return false;
  const n = shape.at(-1)!;
  const writes = lowering.results(outputs);
  const [values, places] = writes.map(({ id }) => id) as [number, number];
  const { wasm } = lowering;
  lowering.step(
    {
      name: op,
      reads: [x],
      writes,
      prepare:
        ({ of }) =>
        () =>
          wasm.topRows(dtype, addressOf(of, x), of[values]!, of[places]!, sizeOf(shape) / n, n, k),
    },
    outputs,
  );
  return true;
};

/** Sorting of 32-bit numbers, by the compiled kernels. */
export const lowerSort: Readonly<Record<string, Lower>> = {
  sort: sorting("sortRows"),
  argSort: sorting("argSortRows"),
  topK: lowerTopK,
};
