import type { Config } from "../../config/field.js";
import { installValueCodec } from "../../config/value-codec.js";
import type { DType } from "../../core/dtype.js";
import { engine } from "../../core/engine.js";
import { type ArrayLikeData, NDArray } from "../../core/ndarray.js";
import { Tensor } from "../../core/tensor.js";

const write = (array: NDArray): Config => ({ value: array.toArray(), dtype: array.dtype });
const read = ({ value, dtype }: Config): NDArray => NDArray.from(value as ArrayLikeData, dtype as DType);

/** Arrays inside configs: the constants of graphs, statistics given to layers. */
installValueCodec({
  className: "__numpy__",
  owns: (value) => value instanceof NDArray,
  write: (x) => write(x as NDArray),
  read,
});
/** Tensors are read as host arrays: a config belongs to no engine. */
installValueCodec({
  className: "__tensor__",
  owns: (value) => value instanceof Tensor,
  write(value) {
    const host = engine().toHost((value as Tensor).handle);
    if (host instanceof NDArray) return write(host);
    throw new TypeError(
      "A tensor inside a config cannot be saved on this backend, which reads values only asynchronously. Use an NDArray (`await tensor.data()`) in its place.",
    );
  },
  read,
});
