import { toTensor } from "../core/convert.js";
import { type DType, dtypeBytes, standardizeDType } from "../core/dtype.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";

const words: Record<number, DType> = { 1: "uint8", 2: "uint16", 4: "uint32" };
const number = (n: number): Tensor => P.full([], n, "uint32");
/** The bits as unsigned integers, widened to 32. */
const bitsOf = (x: Tensor): Tensor =>
  P.cast(x.dtype === "bool" ? x : P.bitcast(x, words[dtypeBytes(x.dtype)]!), "uint32");
const fromBits = (bits: Tensor, dtype: DType): Tensor => {
  const narrow = P.cast(bits, words[dtypeBytes(dtype)]!);
  return dtype === "bool" ? P.cast(narrow, "bool") : P.bitcast(narrow, dtype);
};

/**
 * The same bytes read as another dtype, least significant first; the last axis changes size where the widths differ.
 * Throws when the last axis does not divide into elements of the new width.
 */
export const view = defineOp(
  "numpy.View",
  (x: TensorLike, { dtype = null }: { dtype?: string | null | undefined } = {}): Tensor => {
    const t = toTensor(x);
    const target = standardizeDType(dtype, t.dtype);
    const [from, to] = [dtypeBytes(t.dtype), dtypeBytes(target)];
    if (from === to)
      return t.dtype === "bool" || target === "bool" ? fromBits(bitsOf(t), target) : P.bitcast(t, target);
    const lead = t.shape.slice(0, -1);
    const last = t.shape.at(-1) ?? 1;
    if (from > to) {
      const count = from / to;
      const shifts = P.multiply(P.iota([count], 0, "uint32"), number(8 * to));
      const parts = P.bitwiseAnd(
        P.shiftRightLogical(P.reshape(bitsOf(t), [...lead, last, 1]), shifts),
        number(2 ** (8 * to) - 1),
      );
      return fromBits(P.reshape(parts, [...lead, last * count]), target);
    }
    const count = to / from;
    if (!Number.isInteger(last / count) && !Number.isNaN(last))
      throw new RangeError(`view: the last axis of [${t.shape}] (${t.dtype}) does not divide into ${target}.`);
    const grouped = P.reshape(bitsOf(t), [...lead, last / count, count]);
    const shifts = P.multiply(P.iota([count], 0, "uint32"), number(8 * from));
    return fromBits(P.sum(P.shiftLeft(grouped, shifts), [grouped.ndim - 1]), target);
  },
);
