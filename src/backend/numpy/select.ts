import type { TensorSpec } from "../../core/dtype.js";
import { NDArray, allocate, sizeOf } from "../../core/ndarray.js";
import { type Bits, bitsOf, bitsPerElement, broadcastStrides } from "./strided.js";
import { copyStrided } from "./strided-copy.js";
import { rawView } from "./strided.js";

/** An operand at the result's shape: dense, or one repeated element (step 0). */
interface Side {
  readonly bits: Bits;
  readonly at: number;
  readonly step: 0 | 1;
}

function side(x: NDArray, spec: TensorSpec): Side {
  const width = bitsPerElement(x);
  const raw = rawView(x);
  if (x.size === 1 && width === 1) return { bits: raw.data, at: raw.offset, step: 0 };
  const same = x.shape.length === spec.shape.length && x.shape.every((d, i) => d === spec.shape[i]);
  if (same && x.isContiguous) return { bits: raw.data, at: raw.offset, step: 1 };
  const shape = width === 2 ? [...spec.shape, 2] : spec.shape;
  const out = bitsOf(allocate(x.dtype, sizeOf(spec.shape)));
  const strides = broadcastStrides(raw, shape);
  const dense = new NDArray(out, shape, "int32").strides;
  copyStrided(shape, raw.data, raw.offset, strides, out, 0, dense);
  return { bits: out, at: 0, step: 1 };
}

/** `x` where `condition` holds, else `y`; works on bits, so for every dtype. */
export function selectElements(condition: NDArray, x: NDArray, y: NDArray, spec: TensorSpec): NDArray {
  const n = sizeOf(spec.shape);
  const out = allocate(spec.dtype, n);
  if (n === 0) return new NDArray(out, spec.shape, spec.dtype);
  const c = side(condition, { shape: spec.shape, dtype: "bool" });
  const flags = c.bits as Uint8Array;
  if (c.step === 0) {
    const chosen = side(flags[c.at] ? x : y, spec);
    const to = bitsOf(out);
    if (chosen.step === 0) to.fill(chosen.bits[chosen.at]!);
    else to.set(chosen.bits.subarray(chosen.at, chosen.at + to.length));
    return new NDArray(out, spec.shape, spec.dtype);
  }
  const [a, b] = [side(x, spec), side(y, spec)];
  const to = bitsOf(out);
  if (bitsPerElement(x) === 2) selectPairs(n, flags, c.at, a, b, to);
  else if (to instanceof Int32Array) selectWords(n, flags, c.at, a, b, to);
  else selectNarrow(n, flags, c.at, a, b, to);
  return new NDArray(out, spec.shape, spec.dtype);
}

function selectWords(n: number, flags: Uint8Array, c: number, a: Side, b: Side, out: Int32Array): void {
  const x = a.bits as Int32Array;
  const y = b.bits as Int32Array;
  let { at: p } = a;
  let { at: q } = b;
  for (let i = 0; i < n; i++, p += a.step, q += b.step) out[i] = flags[c + i] !== 0 ? x[p]! : y[q]!;
}
function selectNarrow(n: number, flags: Uint8Array, c: number, a: Side, b: Side, out: Bits): void {
  for (let i = 0; i < n; i++) out[i] = flags[c + i] !== 0 ? a.bits[a.at + i * a.step]! : b.bits[b.at + i * b.step]!;
}
function selectPairs(n: number, flags: Uint8Array, c: number, a: Side, b: Side, out: Bits): void {
  for (let i = 0; i < n; i++) {
    const from = flags[c + i] !== 0 ? a : b;
    out[2 * i] = from.bits[from.at + 2 * i]!;
    out[2 * i + 1] = from.bits[from.at + 2 * i + 1]!;
  }
}
