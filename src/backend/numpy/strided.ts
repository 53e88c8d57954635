import { dtypeBytes, type Shape } from "../../core/dtype.js";
import type { NDArray, TypedArray } from "../../core/ndarray.js";

/** Storage seen as plain bits, so that moving elements needs one loop for each width and not one for each dtype. */
export type Bits = Uint8Array | Uint16Array | Int32Array;

/** A strided view of bits; strides and offset count elements of `data`. */
export interface Raw {
  readonly data: Bits;
  readonly shape: Shape;
  readonly strides: readonly number[];
  readonly offset: number;
}

/** The bits of a typed array; 8-byte elements count as two. */
export function bitsOf(data: TypedArray): Bits {
  const { buffer, byteOffset, byteLength } = data;
  switch (data.BYTES_PER_ELEMENT) {
    case 1:
      return data instanceof Uint8Array ? data : new Uint8Array(buffer, byteOffset, byteLength);
    case 2:
      return data instanceof Uint16Array ? data : new Uint16Array(buffer, byteOffset, byteLength / 2);
    default:
      return data instanceof Int32Array ? data : new Int32Array(buffer, byteOffset, byteLength / 4);
  }
}

/** Elements of `Bits` that one element of the array takes: 2 where elements have 8 bytes. */
export const bitsPerElement = (x: NDArray): 1 | 2 => (dtypeBytes(x.dtype) === 8 ? 2 : 1);

/** The bits of `x`; elements of 8 bytes get a last axis of size 2. */
export function rawView(x: NDArray): Raw {
  const data = bitsOf(x.data);
  if (bitsPerElement(x) === 1) return { data, shape: x.shape, strides: x.strides, offset: x.offset };
  return { data, shape: [...x.shape, 2], strides: [...x.strides.map((s) => 2 * s), 1], offset: 2 * x.offset };
}

/** Strides of `x` read at the larger `shape` it broadcasts to. */
export function broadcastStrides(
  x: { readonly shape: Shape; readonly strides: readonly number[] },
  shape: Shape,
): number[] {
  const lead = shape.length - x.shape.length;
  return shape.map((_, i) => (i < lead || x.shape[i - lead] === 1 ? 0 : x.strides[i - lead]!));
}

/** The axes of a loop nest over several arrays that share a shape. */
export interface Nest {
  readonly shape: number[];
  /** Strides by array, then by axis. */
  readonly strides: number[][];
}

/** Drops axes of size 1 and merges neighbours that every array steps through evenly. */
export function coalesce(shape: Shape, strides: readonly (readonly number[])[]): Nest {
  const out: Nest = { shape: [], strides: strides.map(() => []) };
  for (let axis = 0; axis < shape.length; axis++) {
    const size = shape[axis]!;
    if (size === 1) continue;
    const last = out.shape.length - 1;
    if (last >= 0 && strides.every((s, k) => out.strides[k]![last] === s[axis]! * size)) {
      out.shape[last] = out.shape[last]! * size;
      strides.forEach((s, k) => (out.strides[k]![last] = s[axis]!));
    } else {
      out.shape.push(size);
      strides.forEach((s, k) => out.strides[k]!.push(s[axis]!));
    }
  }
  return out;
}
