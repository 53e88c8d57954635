import { type DType, isComplex, isFloat, type Shape } from "../../../core/dtype.js";
import { allocate, NDArray, sizeOf } from "../../../core/ndarray.js";

/** What contractions compute in: float32 for floats of at most 32 bits, float64, or int32 for bool and integers (equal to all of them modulo 2³²). */
export type WorkingArray = Float32Array | Float64Array | Int32Array;

/** Working array of the same kind as for `dtype`, zero-filled. */
export const workingZeros = (dtype: DType, size: number): WorkingArray =>
  dtype === "float64" ? new Float64Array(size) : isFloat(dtype) ? new Float32Array(size) : new Int32Array(size);

/** The elements of a real array in row-major order, to be read only: it may be the array's own memory. */
export function workingValues(x: NDArray): WorkingArray {
  const { data } = x.contiguous();
  if (data instanceof Float32Array || data instanceof Float64Array || data instanceof Int32Array) return data;
  if (data instanceof Uint32Array) return new Int32Array(data.buffer, data.byteOffset, data.length);
  if (isFloat(x.dtype)) return x.astype("float32").data as Float32Array;
  if (data instanceof BigInt64Array || data instanceof BigUint64Array)
    throw new TypeError(`Expected an array of at most 32-bit elements. Received: ${x.dtype}.`);
  return Int32Array.from(data);
}

/** An array of `dtype` from working values, which it may keep; integers wrap to their width, bool is `!== 0`. */
export function fromWorkingValues(values: WorkingArray, shape: Shape, dtype: DType): NDArray {
  if (dtype === "float32" || dtype === "float64" || dtype === "int32") return new NDArray(values, shape, dtype);
  if (dtype === "uint32")
    return new NDArray(new Uint32Array(values.buffer, values.byteOffset, values.length), shape, dtype);
  if (isFloat(dtype)) return new NDArray(values, shape, "float32").astype(dtype);
  if (dtype === "bool") return new NDArray(values, shape, "int32").astype(dtype);
  const out = allocate(dtype, values.length);
  (out as Uint8Array).set(values);
  return new NDArray(out, shape, dtype);
}

/** Real and imaginary parts of a complex array. */
function splitComplex(x: NDArray): [re: NDArray, im: NDArray] {
  const { data } = x.contiguous();
  const parts = [new Float32Array(x.size), new Float32Array(x.size)] as const;
  for (let i = 0; i < x.size; i++) {
    parts[0][i] = data[2 * i] as number;
    parts[1][i] = data[2 * i + 1] as number;
  }
  return [new NDArray(parts[0], x.shape, "float32"), new NDArray(parts[1], x.shape, "float32")];
}

/** A bilinear kernel of real arrays, extended to complex ones: (a + ib)(c + id). */
export function bilinear(f: (x: NDArray, y: NDArray) => NDArray): (x: NDArray, y: NDArray) => NDArray {
  return (x, y) => {
    if (!isComplex(x.dtype)) return f(x, y);
    const [[a, b], [c, d]] = [splitComplex(x), splitComplex(y)];
    const [ac, bd, ad, bc] = [f(a, c), f(b, d), f(a, d), f(b, c)].map((part) => workingValues(part));
    const { shape } = f(a, c);
    const out = new Float32Array(2 * sizeOf(shape));
    for (let i = 0; i < ac!.length; i++) {
      out[2 * i] = ac![i]! - bd![i]!;
      out[2 * i + 1] = ad![i]! + bc![i]!;
    }
    return new NDArray(out, shape, "complex64");
  };
}
