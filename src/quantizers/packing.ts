import { toTensor } from "../core/convert.js";
import type { DType } from "../core/dtype.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { bitwiseAnd, bitwiseOr, bitwiseXor, leftShift, rightShift } from "../ops/bitwise.js";
import { axisOf } from "../ops/support.js";
import * as P from "../primitives/index.js";
import { padRows } from "./pad-rows.js";

/** A packed tensor, its shape, and how long the packed axis was. */
export type Packed = [packed: Tensor, packedShape: readonly number[], originalLength: number];
export interface PackOptions {
  /** The axis whose neighbours share a byte; 0 when left out. */
  readonly axis?: number | undefined;
  /** Type of the values and of the bytes: "int8" or "uint8". */
  readonly dtype?: string | undefined;
}
export type UnpackOptions = PackOptions;

/** `x` with `axis` in front, and the permutation that undoes it. */
function toFront(x: Tensor, axis: number): { front: Tensor; back: readonly number[] } {
  const order = [axis, ...x.shape.keys()].filter((a, i) => i === 0 || a !== axis);
  return { front: P.transpose(x, order), back: order.map((_, i) => order.indexOf(i)) };
}
/** The first axis in groups of `size`, as one tensor for each place in a group; the last group is filled up with zeros. */
function places(front: Tensor, size: number): Tensor[] {
  const [length = 0, ...rest] = front.shape;
  const groups = Math.ceil(length / size);
  const filled = padRows(front, groups * size - length);
  const grouped = P.reshape(filled, [groups, size, ...rest]);
  return Array.from({ length: size }, (_, k) => {
    const start = grouped.shape.map((_, i) => (i === 1 ? k : 0));
    const end = grouped.shape.map((dim, i) => (i === 1 ? k + 1 : dim));
    return P.reshape(P.slice(grouped, start, end), [groups, ...rest]);
  });
}
/** The inverse of `places`, cut to `length`. */
function interleave(parts: readonly Tensor[], length: number): Tensor {
  const [groups = 0, ...rest] = parts[0]!.shape;
  const stacked = P.concatenate(
    parts.map((part) => P.reshape(part, [groups, 1, ...rest])),
    1,
  );
  const flat = P.reshape(stacked, [groups * parts.length, ...rest]);
  const zeros = flat.shape.map(() => 0);
  return P.slice(flat, zeros, [Math.min(length, groups * parts.length), ...rest]);
}

function byteDType(name: string, dtype: string): DType {
  if (dtype === "int8" || dtype === "uint8") return dtype;
  throw new TypeError(`${name}: \`dtype\` must be "int8" or "uint8". Received: ${JSON.stringify(dtype)}.`);
}
const mask = (bits: number, like: Tensor): Tensor => P.full([], (1 << bits) - 1, like.dtype);

/** Packs the low `bits` of neighbouring values into bytes, the first value in the lowest bits. */
const pack =
  (name: string, bits: number) =>
  (arr: TensorLike, { axis = 0, dtype = "int8" }: PackOptions = {}): Packed => {
    const wanted = byteDType(name, dtype);
    const x = toTensor(arr);
    if (x.dtype !== wanted)
      throw new TypeError(`${name}: expected a tensor of ${wanted}. Received: ${x.dtype}. Cast it, or give \`dtype\`.`);
    const at = axisOf(axis, x.ndim);
    const { front, back } = toFront(x, at);
    const bytes = places(front, 8 / bits)
      .map((part, k) => leftShift(bitwiseAnd(part, mask(bits, x)), P.full([], k * bits, x.dtype)))
      .reduce((packed, part) => bitwiseOr(packed, part));
    const packed = P.transpose(bytes, back);
    return [packed, packed.shape, x.shape[at]!];
  };
const unpack =
  (name: string, bits: number) =>
  (packed: TensorLike, origLen: number, { axis = 0, dtype = "int8" }: UnpackOptions = {}): Tensor => {
    const wanted = byteDType(name, dtype);
    const x = toTensor(packed);
    if (x.dtype !== "int8" && x.dtype !== "uint8")
      throw new TypeError(`${name}: expected a tensor of int8 or uint8. Received: ${x.dtype}.`);
    const { front, back } = toFront(x, axisOf(axis, x.ndim));
    const sign = P.full([], 1 << (bits - 1), x.dtype);
    const parts = Array.from({ length: 8 / bits }, (_, k) => {
      const low = bitwiseAnd(rightShift(front, P.full([], k * bits, x.dtype)), mask(bits, x));
      // Flipping the sign bit and subtracting it again spreads it over the byte.
      return P.cast(wanted === "int8" ? P.subtract(bitwiseXor(low, sign), sign) : low, wanted);
    });
    return P.transpose(interleave(parts, origLen), back);
  };

/** Two 4-bit values a byte: the packed tensor, its shape and the original length of `axis`. Values beyond 4 bits are cut. */
export const packInt4 = pack("packInt4", 4);
/** The values that `packInt4` packed; `origLen` is the length that `axis` had. Signed for dtype "int8". */
export const unpackInt4 = unpack("unpackInt4", 4);
/** Four 2-bit values a byte: the packed tensor, its shape and the original length of `axis`. */
export const packInt2 = pack("packInt2", 2);
/** The values that `packInt2` packed; `origLen` is the length that `axis` had. Signed for dtype "int8". */
export const unpackInt2 = unpack("unpackInt2", 2);

const powersOf3 = [1, 3, 9, 27, 81];
export interface TernaryOptions {
  /** The axis whose neighbours share a byte; 0 when left out. */
  readonly axis?: number | undefined;
}
/** Five values out of -1, 0 and 1 a byte, as digits of base 3: the packed uint8 tensor, its shape and the original length of `axis`. */
export function packTernary(arr: TensorLike, { axis = 0 }: TernaryOptions = {}): Packed {
  const x = toTensor(arr);
  const at = axisOf(axis, x.ndim);
  const { front, back } = toFront(P.cast(x, "int32"), at);
  const one = P.full([], 1, "int32");
  const bytes = places(front, powersOf3.length)
    .map((part, k) => P.multiply(P.add(part, one), P.full([], powersOf3[k]!, "int32")))
    .reduce((sum, part) => P.add(sum, part));
  const packed = P.transpose(P.cast(bytes, "uint8"), back);
  return [packed, packed.shape, x.shape[at]!];
}
/** The values that `packTernary` packed, as int8; `origLen` is the length that `axis` had. */
export function unpackTernary(packed: TensorLike, origLen: number, { axis = 0 }: TernaryOptions = {}): Tensor {
  const x = toTensor(packed);
  const { front, back } = toFront(P.cast(x, "int32"), axisOf(axis, x.ndim));
  const [one, three] = [P.full([], 1, "int32"), P.full([], 3, "int32")];
  const parts = powersOf3.map((power) => {
    const digit = P.remainder(P.divide(front, P.full([], power, "int32")), three);
    return P.cast(P.subtract(digit, one), "int8");
  });
  return P.transpose(interleave(parts, origLen), back);
}
