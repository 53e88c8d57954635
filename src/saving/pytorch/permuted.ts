import { NDArray } from "../../core/ndarray.js";

/** The same elements with their axes in the order `axes`. */
export const permuted = (x: NDArray, axes: readonly number[]): NDArray =>
  new NDArray(
    x.data,
    axes.map((i) => x.shape[i]!),
    x.dtype,
    axes.map((i) => x.strides[i]!),
    x.offset,
  );
