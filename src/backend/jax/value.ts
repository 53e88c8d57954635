import type { DType, TensorSpec } from "../../core/dtype.js";
import { NDArray, sizeOf } from "../../core/ndarray.js";
import { LibraryValue } from "../library-value.js";
import { type JaxArray, numpy } from "./library.js";

/** The dtypes that jax-js computes in and that tensors have. */
export type NativeDType = "bool" | "int32" | "uint32" | "float32";
const nativeDTypes: ReadonlySet<DType> = new Set(["bool", "int32", "uint32", "float32"] satisfies NativeDType[]);

/** Whether jax-js can hold the value: an array of one of its dtypes with at least one element, its sizes plain numbers. */
export const isNative = ({ shape, dtype }: TensorSpec): boolean =>
  nativeDTypes.has(dtype) && sizeOf(shape) > 0 && shape.every(Number.isInteger);

/** The engine's handle. What jax-js cannot hold, or has not been asked for yet, lies with the built-in engine. */
export class Value extends LibraryValue<JaxArray> {
  /** Takes over an array of jax-js. */
  static ofJax(array: JaxArray, spec: TensorSpec): Value {
    return new Value(spec, array, null);
  }
  /** Takes over a handle of the built-in engine. */
  static ofArray(array: NDArray): Value {
    return new Value(array, null, array);
  }

  /** The value as an array of jax-js, borrowed. Throws when jax-js has no such dtype. */
  get jax(): JaxArray {
    return this.own;
  }

  protected override upload(array: NDArray): JaxArray {
    const { data } = array.contiguous();
    const shape = [...array.shape];
    switch (array.dtype) {
      case "bool":
        return numpy.array(Int32Array.from(data as Uint8Array), { shape, dtype: "bool" as never });
      case "int32":
      case "uint32":
      case "float32":
        return numpy.array(data as Float32Array<ArrayBuffer>, { shape, dtype: array.dtype as never });
      default:
        throw new TypeError(`jax-js has no arrays of dtype ${array.dtype}.`);
    }
  }
  protected override download(array: JaxArray): NDArray {
    // Reading consumes a reference.
    const data = array.ref.dataSync();
    const stored = this.dtype === "bool" ? Uint8Array.from(data as Int32Array) : (data as Float32Array);
    return new NDArray(stored, this.shape, this.dtype);
  }
  protected override toBuiltIn(array: JaxArray): NDArray {
    return this.download(array);
  }
  protected override free(array: JaxArray): void {
    array.dispose();
  }
}
