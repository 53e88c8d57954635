import { type DType, type Shape, shrink } from "./dtype.js";
import { bfloat16ToNumber, float16ToNumber, float8E4M3ToNumber, float8E5M2ToNumber } from "./float16.js";
import { type ForeignArray, foreignDType, isForeignArray, readForeign } from "./foreign.js";
import { numberToBfloat16, numberToFloat16, numberToFloat8E4M3, numberToFloat8E5M2 } from "./float16.js";

/** Storage of an NDArray. */
export type TypedArray =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Float32Array
  | Float64Array;

/** Nested JavaScript arrays of numbers, as deep as the array has axes. */
export type NestedArray = number | bigint | boolean | readonly NestedArray[];
/** What can be read as an array: nested arrays, a number, a typed array, anything with `data` and `shape`, an array of another library. */
export type ArrayLikeData =
  | NestedArray
  | TypedArray
  | Uint8ClampedArray
  | { readonly data: TypedArray; readonly shape: Shape; readonly dtype?: string }
  | ForeignArray;

interface StorageClass {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): TypedArray;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): TypedArray;
}
interface Storage {
  readonly array: StorageClass;
  /** Value of a stored element; absent where the element is the value. */
  readonly decode?: (bits: number) => number;
  readonly encode?: (value: number) => number;
}
const storage: Record<DType, Storage> = {
  bool: { array: Uint8Array, encode: (v) => (v ? 1 : 0) },
  uint8: { array: Uint8Array },
  uint16: { array: Uint16Array },
  uint32: { array: Uint32Array },
  uint64: { array: BigUint64Array },
  int8: { array: Int8Array },
  int16: { array: Int16Array },
  int32: { array: Int32Array },
  int64: { array: BigInt64Array },
  float16: { array: Uint16Array, decode: float16ToNumber, encode: numberToFloat16 },
  bfloat16: { array: Uint16Array, decode: bfloat16ToNumber, encode: numberToBfloat16 },
  float32: { array: Float32Array },
  float64: { array: Float64Array },
  complex64: { array: Float32Array },
  float8_e4m3fn: { array: Uint8Array, decode: float8E4M3ToNumber, encode: numberToFloat8E4M3 },
  float8_e5m2: { array: Uint8Array, decode: float8E5M2ToNumber, encode: numberToFloat8E5M2 },
};

export const sizeOf = (shape: Shape): number => shape.reduce((product, dim) => product * dim, 1);

/** Strides in elements of a row-major array. */
export function rowMajorStrides(shape: Shape): number[] {
  const strides = new Array<number>(shape.length);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = step;
    step *= shape[axis]!;
  }
  return strides;
}

/** The bytes of some memory as a typed array that stores `dtype`. Throws a RangeError for an offset that does not suit it. */
export function viewAs(dtype: DType, { buffer, byteOffset, byteLength }: ArrayBufferView): TypedArray {
  const { array } = storage[dtype];
  return new array(buffer, byteOffset, Math.floor(byteLength / array.BYTES_PER_ELEMENT));
}

/** A zero-filled typed array for `size` elements of `dtype`. */
export const allocate = (dtype: DType, size: number): TypedArray =>
  new storage[dtype].array(dtype === "complex64" ? 2 * size : size);

/**
 * Values in host memory: a typed array seen through a shape and strides (in elements).
 * float16, bfloat16 and float8 are stored as bit patterns, bool as 0 and 1, complex64 as interleaved pairs.
 */
export class NDArray {
  readonly strides: readonly number[];

  constructor(
    readonly data: TypedArray,
    readonly shape: Shape,
    readonly dtype: DType,
    strides?: readonly number[],
    readonly offset: number = 0,
  ) {
    this.strides = strides ?? rowMajorStrides(shape);
    const width = dtype === "complex64" ? 2 : 1;
    if (!strides && (offset + sizeOf(shape)) * width > data.length) {
      throw new RangeError(
        `An array of shape [${shape}] needs ${sizeOf(shape)} ${dtype} elements. Received: ${data.length / width - offset}.`,
      );
    }
  }

  static zeros(shape: Shape, dtype: DType = "float32"): NDArray {
    return new NDArray(allocate(dtype, sizeOf(shape)), shape, dtype);
  }

  /**
   * Reads `value` as an array. Without `dtype`, whole numbers in nested arrays give int32 and others float32;
   * typed arrays keep their type. Throws when nested arrays are ragged.
   */
  static from(value: ArrayLikeData | NDArray, dtype?: DType): NDArray {
    const array =
      value instanceof NDArray
        ? value
        : ArrayBuffer.isView(value)
          ? fromTyped(value as TypedArray)
          : isDataShape(value)
            ? fromDataShape(value)
            : isForeignArray(value)
              ? fromForeignArray(value)
              : fromNested(value as NestedArray, dtype);
    return dtype && array.dtype !== dtype ? array.astype(dtype) : array;
  }

  get size(): number {
    return sizeOf(this.shape);
  }
  get ndim(): number {
    return this.shape.length;
  }
  /** Whether the elements lie in row-major order without gaps. */
  get isContiguous(): boolean {
    let step = 1;
    for (let axis = this.shape.length - 1; axis >= 0; axis--) {
      if (this.shape[axis]! !== 1 && this.strides[axis] !== step) return this.size === 0;
      step *= this.shape[axis]!;
    }
    return true;
  }

  /** This array when it is contiguous and starts at its data's beginning and fills it, else a copy. */
  contiguous(): NDArray {
    if (!this.isContiguous) return this.copy();
    const width = this.dtype === "complex64" ? 2 : 1;
    const length = this.size * width;
    if (this.offset === 0 && this.data.length === length) return this;
    const start = this.offset * width;
    return new NDArray(this.data.subarray(start, start + length), this.shape, this.dtype);
  }

  copy(): NDArray {
    const out = NDArray.zeros(this.shape, this.dtype);
    if (this.isContiguous) {
      const width = this.dtype === "complex64" ? 2 : 1;
      setElements(out.data, this.data.subarray(this.offset * width, (this.offset + this.size) * width));
      return out;
    }
    const to = out.data;
    const from = this.data;
    let i = 0;
    if (this.dtype === "complex64") {
      this.forEachOffset((at) => {
        to[i++] = from[2 * at]!;
        to[i++] = from[2 * at + 1]!;
      });
    } else {
      this.forEachOffset((at) => {
        to[i++] = from[at]!;
      });
    }
    return out;
  }

  /** The same elements under another shape; one dimension may be -1. */
  reshape(shape: Shape): NDArray {
    const known = shape.reduce((product, dim) => (dim === -1 ? product : product * dim), 1);
    const resolved = shape.map((dim) => (dim === -1 ? this.size / known : dim));
    if (sizeOf(resolved) !== this.size || !resolved.every(Number.isInteger)) {
      throw new RangeError(`Cannot reshape an array of shape [${this.shape}] into [${shape}].`);
    }
    const { data } = this.contiguous();
    return new NDArray(data, resolved, this.dtype);
  }

  /** A view of the same elements whose axes are those of this array in another order: axis `i` is axis `axes[i]` of this one. */
  transpose(axes: readonly number[]): NDArray {
    const { data, shape, dtype, strides, offset } = this;
    return new NDArray(
      data,
      axes.map((i) => shape[i]!),
      dtype,
      axes.map((i) => strides[i]!),
      offset,
    );
  }

  /** A copy with elements converted: floats to integers truncate, anything to bool is `!== 0`. */
  astype(dtype: DType): NDArray {
    if (dtype === this.dtype) return this;
    const out = NDArray.zeros(this.shape, dtype);
    const values = this.numbers();
    const { encode } = storage[dtype];
    const to = out.data;
    const big = to instanceof BigInt64Array || to instanceof BigUint64Array;
    if (dtype === "complex64") values.forEach((v, i) => (to[2 * i] = v));
    else if (big) values.forEach((v, i) => (to[i] = BigInt(Math.trunc(v))));
    else if (encode) values.forEach((v, i) => (to[i] = encode(v)));
    else (to as Float32Array).set(values);
    return out;
  }

  /** The elements in row-major order as numbers (real parts of complex ones); 64-bit integers lose precision past 2^53. */
  numbers(): Float64Array {
    const out = new Float64Array(this.size);
    const { decode } = storage[this.dtype];
    const from = this.data;
    const step = this.dtype === "complex64" ? 2 : 1;
    let i = 0;
    if (decode) this.forEachOffset((at) => (out[i++] = decode(from[at] as number)));
    else this.forEachOffset((at) => (out[i++] = Number(from[at * step])));
    return out;
  }

  /** One element. */
  at(...index: readonly number[]): number | bigint {
    if (index.length !== this.ndim)
      throw new RangeError(`Expected ${this.ndim} indices for shape [${this.shape}]. Received: ${index.length}.`);
    let at = this.offset;
    index.forEach((i, axis) => {
      const dim = this.shape[axis]!;
      const wrapped = i < 0 ? i + dim : i;
      if (!(wrapped >= 0 && wrapped < dim))
        throw new RangeError(`Index ${i} is out of range for axis ${axis} of shape [${this.shape}].`);
      at += wrapped * this.strides[axis]!;
    });
    const { decode } = storage[this.dtype];
    const element = this.data[this.dtype === "complex64" ? 2 * at : at]!;
    return decode ? decode(element as number) : element;
  }

  /** Nested JavaScript arrays; a number (or boolean, bigint) when the array has no axes. Complex elements are pairs. */
  toArray(): NestedArray {
    const { decode } = storage[this.dtype];
    const element = (at: number): NestedArray => {
      if (this.dtype === "complex64") return [this.data[2 * at]!, this.data[2 * at + 1]!];
      const raw = this.data[at]!;
      return this.dtype === "bool" ? raw !== 0 : decode ? decode(raw as number) : raw;
    };
    const nest = (axis: number, at: number): NestedArray =>
      axis === this.ndim
        ? element(at)
        : Array.from({ length: this.shape[axis]! }, (_, i) => nest(axis + 1, at + i * this.strides[axis]!));
    return nest(0, this.offset);
  }

  private forEachOffset(visit: (offset: number) => void): void {
    const walk = (axis: number, at: number): void => {
      if (axis === this.ndim) return visit(at);
      const step = this.strides[axis]!;
      const dim = this.shape[axis]!;
      if (axis === this.ndim - 1) for (let i = 0; i < dim; i++, at += step) visit(at);
      else for (let i = 0; i < dim; i++, at += step) walk(axis + 1, at);
    };
    walk(0, this.offset);
  }
}

function setElements(to: TypedArray, from: TypedArray): void {
  (to as Float32Array).set(from as Float32Array);
}

const typedDTypes: ReadonlyMap<string, DType> = new Map([
  ["Uint8Array", "uint8"],
  ["Uint8ClampedArray", "uint8"],
  ["Uint16Array", "uint16"],
  ["Uint32Array", "uint32"],
  ["BigUint64Array", "uint64"],
  ["Int8Array", "int8"],
  ["Int16Array", "int16"],
  ["Int32Array", "int32"],
  ["BigInt64Array", "int64"],
  ["Float32Array", "float32"],
  ["Float64Array", "float64"],
]);

/** The dtype whose storage a typed array is; throws for views that hold no numbers. */
function dtypeOfTypedArray(array: ArrayBufferView): DType {
  const dtype = typedDTypes.get(array.constructor.name === "Buffer" ? "Uint8Array" : array.constructor.name);
  if (!dtype)
    throw new TypeError(
      `Cannot read a ${array.constructor.name} as an array. Expected one of: ${[...typedDTypes.keys()].join(", ")}.`,
    );
  return dtype;
}

const fromTyped = (array: TypedArray): NDArray => new NDArray(array, [array.length], dtypeOfTypedArray(array));

const isDataShape = (value: unknown): value is { data: TypedArray; shape: Shape; dtype?: string } =>
  typeof value === "object" && value !== null && "shape" in value && "data" in value && ArrayBuffer.isView(value.data);

function fromDataShape({ data, shape, dtype }: { data: TypedArray; shape: Shape; dtype?: string }): NDArray {
  const stored = dtypeOfTypedArray(data);
  const named = dtype !== undefined && Object.hasOwn(storage, dtype) ? (dtype as DType) : stored;
  return new NDArray(data, [...shape], storage[named].array === storage[stored].array ? named : stored);
}

function fromForeignArray(array: ForeignArray): NDArray {
  const dtype = foreignDType(array);
  const data = readForeign(array) as TypedArray;
  // What libraries store as true need not be 1.
  const isStorage = data.constructor === storage[dtype].array && dtype !== "bool";
  const read = new NDArray(data, [...array.shape], isStorage ? dtype : dtypeOfTypedArray(data));
  return isStorage ? read : read.astype(dtype);
}

function fromNested(value: NestedArray, dtype: DType | undefined): NDArray {
  const shape: number[] = [];
  for (let level: NestedArray = value; Array.isArray(level); level = (level as readonly NestedArray[])[0]!) {
    shape.push(level.length);
    if (level.length === 0) break;
  }
  const flat = new Array<number | bigint | boolean>(sizeOf(shape));
  let filled = 0;
  let kind: "bool" | "int" | "float" = "bool";
  const walk = (level: NestedArray, axis: number): void => {
    if (axis === shape.length) {
      if (typeof level === "number") {
        if (kind !== "float") kind = Number.isInteger(level) ? "int" : "float";
      } else if (typeof level === "bigint") kind = kind === "float" ? "float" : "int";
      else if (typeof level !== "boolean")
        throw new TypeError(
          `Expected numbers in nested arrays of equal length (shape [${shape}]). Received: ${Array.isArray(level) ? "a deeper array" : typeof level}.`,
        );
      flat[filled++] = level as number;
      return;
    }
    if (!Array.isArray(level) || level.length !== shape[axis]) {
      throw new TypeError(
        `Nested arrays are ragged: expected ${shape[axis]} elements on axis ${axis}. Received: ${Array.isArray(level) ? level.length : typeof level}.`,
      );
    }
    for (const inner of level as readonly NestedArray[]) walk(inner, axis + 1);
  };
  walk(value, 0);
  const inferred: DType =
    flat.length === 0 ? "float32" : kind === "bool" ? "bool" : kind === "int" ? "int32" : "float32";
  const target = dtype ?? inferred;
  const out = NDArray.zeros(shape, target);
  const { encode } = storage[target];
  const to = out.data;
  const big = to instanceof BigInt64Array || to instanceof BigUint64Array;
  for (let i = 0; i < flat.length; i++) {
    const v = flat[i]!;
    if (target === "complex64") to[2 * i] = Number(v);
    else to[i] = big ? BigInt(v) : encode ? encode(Number(v)) : Number(v);
  }
  return out;
}

/** `array` in the dtype tensors use: 64-bit types shrink to 32 bits. */
export const shrunk = (array: NDArray): NDArray => array.astype(shrink(array.dtype));
