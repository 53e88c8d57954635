import type { DType, Shape, TensorSpec } from "../../core/dtype.js";
import type { Handle } from "../../core/engine.js";
import { NDArray, sizeOf } from "../../core/ndarray.js";
import { builtIn } from "../built-in.js";
import { type JaxArray, numpy } from "./library.js";

/** The dtypes that jax-js computes in and that tensors have. */
export type NativeDType = "bool" | "int32" | "uint32" | "float32";
const nativeDTypes: ReadonlySet<DType> = new Set(["bool", "int32", "uint32", "float32"] satisfies NativeDType[]);

/** Whether jax-js can hold the value: an array of one of its dtypes with at least one element, its sizes plain numbers. */
export const isNative = ({ shape, dtype }: TensorSpec): boolean =>
  nativeDTypes.has(dtype) && sizeOf(shape) > 0 && shape.every(Number.isInteger);

/**
 * The engine's handle, counted by reference: an array of jax-js, or, for what jax-js cannot hold or has not been asked
 * for yet, an array of the built-in engine. A value that was moved from one to the other stays in both.
 */
export class Value {
  #references = 1;
  #array: JaxArray | null;
  #host: NDArray | null;

  private constructor(
    readonly shape: Shape,
    readonly dtype: DType,
    array: JaxArray | null,
    host: NDArray | null,
  ) {
    this.#array = array;
    this.#host = host;
  }

  /** Takes over an array of jax-js. */
  static ofArray(array: JaxArray, { shape, dtype }: TensorSpec): Value {
    return new Value(shape, dtype, array, null);
  }
  /** Takes over an array of the built-in engine. */
  static ofHost(host: NDArray): Value {
    return new Value(host.shape, host.dtype, null, host);
  }
  /** Takes over a handle of the built-in engine. */
  static ofBuiltIn(handle: Handle): Value {
    return Value.ofHost(handle as NDArray);
  }

  /** The value as an array of jax-js, borrowed. Throws when jax-js has no such dtype. */
  array(): JaxArray {
    this.#check();
    return (this.#array ??= upload(this.host()));
  }
  /** The value as an array of the built-in engine, borrowed. */
  host(): NDArray {
    this.#check();
    return (this.#host ??= download(this.#array!, this));
  }

  /** Another owned reference. */
  retain(): this {
    this.#check();
    this.#references++;
    return this;
  }
  /** Gives one reference back; the memory is free when it was the last. */
  release(): void {
    this.#check();
    if (--this.#references > 0) return;
    this.#array?.dispose();
    if (this.#host) builtIn.dispose(this.#host);
    this.#array = this.#host = null;
  }
  #check(): void {
    if (this.#references <= 0)
      throw new Error(`This array (shape [${this.shape}], ${this.dtype}) was released already.`);
  }
}

function upload(host: NDArray): JaxArray {
  const { data } = host.contiguous();
  const shape = [...host.shape];
  switch (host.dtype) {
    case "bool":
      return numpy.array(Int32Array.from(data as Uint8Array), { shape, dtype: "bool" as never });
    case "int32":
    case "uint32":
    case "float32":
      return numpy.array(data as Float32Array<ArrayBuffer>, { shape, dtype: host.dtype as never });
    default:
      throw new TypeError(`jax-js has no arrays of dtype ${host.dtype}.`);
  }
}

function download(array: JaxArray, { shape, dtype }: TensorSpec): NDArray {
  // Reading consumes a reference.
  const data = array.ref.dataSync();
  return new NDArray(dtype === "bool" ? Uint8Array.from(data as Int32Array) : (data as Float32Array), shape, dtype);
}
