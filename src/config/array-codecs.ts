import type { Config, Json } from "./field.js";
import type { ValueCodec } from "./value-codec.js";
import { type DType, isFloat, standardizeDType } from "../core/dtype.js";
import { engine } from "../core/engine.js";
import { KerasTensor, type SymbolicShape } from "../core/keras-tensor.js";
import { type ArrayLikeData, NDArray, type NestedArray } from "../core/ndarray.js";
import { Tensor } from "../core/tensor.js";
import { pyFloat } from "../utils/py-float.js";

/** Elements as nested lists; floats stay floats. */
function nestedList(array: NDArray): Json {
  const float = isFloat(array.dtype);
  const write = (value: NestedArray): Json =>
    Array.isArray(value) ? value.map(write) : float ? (pyFloat(Number(value)) as Json) : (value as Json);
  return write(array.toArray());
}

/** The array of a saved value. JSON has no bounds on what it claims, but the elements are all there. */
function readArray(config: Config): NDArray {
  const { value, dtype } = config;
  return NDArray.from(value as ArrayLikeData, standardizeDType(dtype as string | null, "float32") as DType);
}

const tensorCodec: ValueCodec = {
  className: "__tensor__",
  owns: (value) => value instanceof Tensor,
  write(value) {
    const x = value as Tensor;
    const array = engine().toHost(x.handle);
    if (array instanceof Promise) {
      array.catch(() => undefined);
      throw new TypeError(
        `A tensor of shape [${x.shape}] inside a config cannot be saved on the backend "${engine().name}", which is read asynchronously. Use an array in its place.`,
      );
    }
    return { value: nestedList(array), dtype: x.dtype };
  },
  // On the host: a config belongs to no engine.
  read: readArray,
};

const arrayCodec: ValueCodec = {
  className: "__numpy__",
  owns: (value) => value instanceof NDArray,
  write: (value) => ({ value: nestedList(value as NDArray), dtype: (value as NDArray).dtype }),
  read: readArray,
};

const symbolicCodec: ValueCodec = {
  className: "__keras_tensor__",
  owns: (value) => value instanceof KerasTensor,
  write(value) {
    const { shape, dtype, history } = value as KerasTensor;
    const place = history && [history.operation.name, history.nodeIndex, history.tensorIndex];
    return { shape: [...shape], dtype, keras_history: place };
  },
  read: ({ shape, dtype }) => new KerasTensor(shape as SymbolicShape, dtype as DType),
};

/** Arrays and tensors inside configs, as Python Keras saves them. */
export const arrayCodecs: readonly ValueCodec[] = [tensorCodec, arrayCodec, symbolicCodec];
