import type { DType, Shape } from "../../core/dtype.js";
import { allocate, NDArray, sizeOf, type TypedArray } from "../../core/ndarray.js";
import { floatx } from "../../core/settings.js";

/** The rows of one array, by the batch: views where rows follow each other, else copies into a buffer that is used again. */
export class RowSource {
  readonly #data: TypedArray;
  readonly #tail: Shape;
  readonly #row: number;
  readonly #from: DType;
  readonly #dtype: DType;
  #buffer: NDArray | null = null;

  constructor(array: NDArray) {
    const { data, dtype } = array.contiguous();
    this.#data = data;
    this.#tail = array.shape.slice(1);
    this.#row = sizeOf(this.#tail);
    this.#from = dtype;
    this.#dtype = dtype === "float64" ? (floatx() === "float64" ? "float32" : floatx()) : dtype;
  }

  /** Rows `start` to `stop`, not included. */
  slice(start: number, stop: number): NDArray {
    const shape = [stop - start, ...this.#tail];
    const rows = this.#data.subarray(start * this.#row, stop * this.#row);
    if (this.#from === this.#dtype) return new NDArray(rows, shape, this.#dtype);
    const out = this.#rows(stop - start);
    (out.data as Float32Array).set(rows as Float32Array);
    return out;
  }
  /** The rows that `indices` names from `start` to `stop`. The array is overwritten by the next call. */
  gather(indices: Int32Array, start: number, stop: number): NDArray {
    const out = this.#rows(stop - start);
    const row = this.#row;
    const to = out.data as Float32Array;
    const from = this.#data as Float32Array;
    if (row < 16) {
      for (let i = start, at = 0; i < stop; i++) {
        for (let k = indices[i]! * row, end = k + row; k < end; k++) to[at++] = from[k]!;
      }
    } else {
      for (let i = start; i < stop; i++) {
        const k = indices[i]! * row;
        to.set(from.subarray(k, k + row), (i - start) * row);
      }
    }
    return out;
  }
  #rows(count: number): NDArray {
    if (this.#buffer?.shape[0] !== count)
      this.#buffer = new NDArray(allocate(this.#dtype, count * this.#row), [count, ...this.#tail], this.#dtype);
    return this.#buffer;
  }
}
