/** Number formats narrower than float32: conversions between bit patterns and numbers. */

/** The layout of a narrow binary format: a sign bit, then `exponentBits`, then `mantissaBits`. */
export interface MiniFloatLayout {
  readonly exponentBits: number;
  readonly mantissaBits: number;
  /** Largest finite magnitude, as a bit pattern without sign. */
  readonly maxFinite: number;
  /** Pattern for magnitudes beyond the largest finite one: infinity, or NaN where the format has no infinity. */
  readonly overflow: number;
  /** Pattern written for NaN. */
  readonly nan: number;
}

/** Conversions of one narrow format. */
export interface MiniFloat<Bits extends Uint16Array | Uint8Array> {
  /** The number that a bit pattern stands for. */
  toNumber(bits: number): number;
  /** The bit pattern nearest to a number (ties to even), rounded once from its full float64 value. */
  fromNumber(value: number): number;
  /** Numbers of an array of bit patterns; `out`, when given, must hold at least as many elements. */
  decode(bits: Bits, out?: Float32Array): Float32Array;
  /** Bit patterns of an array of numbers; `out`, when given, must hold at least as many elements. */
  encode(values: ArrayLike<number>, out?: Bits): Bits;
}

const float32 = new Float32Array(1);
const float32Bits = new Uint32Array(float32.buffer);

/**
 * Float32 bits of a float64 value, rounded to odd: an inexact value keeps its last bit set, so that a second rounding to
 * a format at least two bits narrower gives what one rounding from float64 would (Boldo and Melquiond, 2008).
 */
function roundToOddBits(value: number): number {
  float32[0] = value;
  const rounded = float32[0];
  let bits = float32Bits[0]!;
  if (rounded !== value && value === value) {
    if (Math.abs(rounded) > Math.abs(value)) bits--;
    bits |= 1;
  }
  return bits >>> 0;
}

/** Builds the conversions of a format; `allocate` makes its storage arrays. */
export function makeMiniFloat<Bits extends Uint16Array | Uint8Array>(
  layout: MiniFloatLayout,
  allocate: (length: number) => Bits,
): MiniFloat<Bits> {
  const { exponentBits, mantissaBits, maxFinite, overflow, nan } = layout;
  const width = 1 + exponentBits + mantissaBits;
  const signBit = 1 << (width - 1);
  const signShift = 32 - width;
  const bias = (1 << (exponentBits - 1)) - 1;
  const drop = 23 - mantissaBits;
  const rebias = (127 - bias) << 23;
  const roundHalf = (1 << (drop - 1)) - 1;
  // Biased float32 exponents below this are subnormal here. With float32's own exponent range, float32's subnormals are
  // the format's, and the integer rounding of the normal path is right for them too.
  const firstNormal = bias === 127 ? 0 : 128 - bias;

  function narrow(source: number): number {
    const magnitude = source & 0x7fffffff;
    const sign = (source >>> signShift) & signBit;
    if (magnitude >= 0x7f800000) return sign | (magnitude > 0x7f800000 ? nan : overflow);
    const exponent = magnitude >>> 23;
    let result: number;
    if (exponent >= firstNormal) {
      result = (magnitude - rebias + roundHalf + ((magnitude >>> drop) & 1)) >>> drop;
    } else {
      const shift = drop + firstNormal - exponent;
      if (shift > 24) return sign;
      const mantissa = (magnitude & 0x7fffff) | 0x800000;
      result = mantissa >>> shift;
      const rest = mantissa & ((1 << shift) - 1);
      const half = 1 << (shift - 1);
      if (rest > half || (rest === half && (result & 1) === 1)) result++;
    }
    return sign | (result > maxFinite ? overflow : result);
  }

  function widen(bits: number): number {
    const magnitude = bits & (signBit - 1);
    const sign = bits & signBit ? -1 : 1;
    if (magnitude > maxFinite) return magnitude === overflow && overflow !== nan ? sign * Infinity : NaN;
    const exponent = magnitude >>> mantissaBits;
    const mantissa = magnitude & ((1 << mantissaBits) - 1);
    const significand = exponent === 0 ? mantissa : mantissa | (1 << mantissaBits);
    return sign * significand * 2 ** (Math.max(exponent, 1) - bias - mantissaBits);
  }

  let table: Float32Array | undefined;
  function numbers(): Float32Array {
    table ??= Float32Array.from({ length: 1 << width }, (_, bits) => widen(bits));
    return table;
  }

  return {
    toNumber: (bits) => numbers()[bits & ((signBit << 1) - 1)]!,
    fromNumber: (value) => narrow(roundToOddBits(value)),
    decode(bits, out = new Float32Array(bits.length)) {
      const known = numbers();
      for (let i = 0; i < bits.length; i++) out[i] = known[bits[i]!]!;
      return out;
    },
    encode(values, out = allocate(values.length)) {
      if (values instanceof Float32Array) {
        const source = new Uint32Array(values.buffer, values.byteOffset, values.length);
        for (let i = 0; i < source.length; i++) out[i] = narrow(source[i]!);
      } else {
        for (let i = 0; i < values.length; i++) out[i] = narrow(roundToOddBits(values[i]!));
      }
      return out;
    },
  };
}
