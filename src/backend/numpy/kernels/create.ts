import { dtypeBytes } from "../../../core/dtype.js";
import { allocate, NDArray, sizeOf, viewAs } from "../../../core/ndarray.js";
import type { Kernels } from "../../backend.js";
import { castArray } from "../cast.js";
import { laneOf } from "../lanes.js";
import { scalarArray } from "../scalar.js";
import { dense } from "../strided-copy.js";
import { broadcastStrides } from "../strided.js";

export const createKernels = {
  full: (_, { shape, value, dtype }) => {
    const one = scalarArray(value, dtype);
    const size = sizeOf(shape);
    if (dtype === "complex64")
      return [
        new NDArray(
          one.data,
          shape,
          dtype,
          shape.map(() => 0),
        ),
      ];
    const data = allocate(dtype, size);
    if (value !== 0 || Object.is(value, -0)) (data as Float32Array).fill(one.data[0] as number);
    return [new NDArray(data, shape, dtype)];
  },
  iota: (_, { shape, axis, dtype }) => {
    const lane = laneOf(dtype);
    const length = shape[axis]!;
    const wide = dtype === "float32" || lane !== "int" ? "float32" : "int32";
    const counts = NDArray.zeros([length], lane === "uint" ? "uint32" : wide);
    for (let i = 0; i < length; i++) counts.data[i] = i;
    const row = castArray(counts, dtype);
    const column = row.reshape([length, ...shape.slice(axis + 1).map(() => 1)]);
    return [dense(new NDArray(column.data, shape, dtype, broadcastStrides(column, shape)))];
  },
  cast: ([x], { dtype }) => [castArray(x!, dtype)],
  bitcast: ([x], { dtype }) => {
    if (dtypeBytes(x!.dtype) !== dtypeBytes(dtype)) {
      throw new TypeError(
        `bitcast: ${x!.dtype} has ${dtypeBytes(x!.dtype)} bytes an element and ${dtype} has ${dtypeBytes(dtype)}. They must be equal.`,
      );
    }
    const { data, shape } = x!.contiguous();
    return [new NDArray(viewAs(dtype, data), shape, dtype)];
  },
  stopGradient: ([x]) => [x!],
} satisfies Partial<Kernels<NDArray>>;
