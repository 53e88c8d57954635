import { KerasTensor } from "../core/keras-tensor.js";
import { type ArrayLikeData, NDArray } from "../core/ndarray.js";
import { Tensor } from "../core/tensor.js";
import { Variable } from "../core/variable.js";
import { oneHot } from "../ops/crossentropy.js";
import { reshape } from "../ops/shape.js";

export interface ToCategoricalOptions {
  /** How many classes there are; the largest label plus one when left out, which only host arrays can tell. */
  readonly numClasses?: number | null | undefined;
}

/**
 * A row of zeros with a one at each label: [...] integers become [..., classes]; a last axis of size 1 is dropped first. Tensors give
 * tensors, host data gives an array of float64, as in NumPy.
 * @throws RangeError for labels outside the classes, TypeError for a tensor without `numClasses`.
 */
export function toCategorical(x: Tensor | Variable | KerasTensor, options?: ToCategoricalOptions): Tensor;
export function toCategorical(x: NDArray | ArrayLikeData, options?: ToCategoricalOptions): NDArray;
export function toCategorical(
  x: Tensor | Variable | KerasTensor | NDArray | ArrayLikeData,
  { numClasses = null }: ToCategoricalOptions = {},
): Tensor | NDArray {
  if (!(x instanceof Tensor || x instanceof Variable || x instanceof KerasTensor))
    return ofHost(NDArray.from(x), numClasses);
  if (!numClasses)
    throw new TypeError("toCategorical: a tensor does not tell how many classes there are. Give `numClasses`.");
  const { shape } = x;
  const labels = shape.length > 1 && shape.at(-1) === 1 ? reshape(x, shape.slice(0, -1) as number[]) : x;
  return oneHot(labels, numClasses);
}

function ofHost(labels: NDArray, given: number | null): NDArray {
  const { shape } = labels;
  const outer = shape.length > 1 && shape.at(-1) === 1 ? shape.slice(0, -1) : shape;
  const values = labels.numbers().map(Math.trunc);
  const classes = given || values.reduce((most, label) => Math.max(most, label), -1) + 1;
  const out = NDArray.zeros([...outer, classes], "float64");
  values.forEach((label, i) => {
    const at = label < 0 ? label + classes : label;
    if (!(at >= 0 && at < classes))
      throw new RangeError(`toCategorical: label ${label} does not lie within the ${classes} classes.`);
    out.data[i * classes + at] = 1;
  });
  return out;
}
