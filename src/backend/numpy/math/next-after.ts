const value = new Float32Array(1);
const bits = new Int32Array(value.buffer);

/** The float32 number next to `x` in the direction of `y` (IEEE 754 nextafter); NaN when either is. */
export function nextAfterFloat32(x: number, y: number): number {
  if (x !== x || y !== y) return NaN;
  if (x === y) return y;
  value[0] = x;
  if (x === 0) bits[0] = y < 0 ? -0x7fffffff : 1;
  else bits[0] = bits[0]! + (x < y === x > 0 ? 1 : -1);
  return value[0];
}

/** The same for a 16-bit format given by bit patterns: `x` and `y` are patterns, `toNumber` reads them. */
export function nextAfterBits(x: number, y: number, toNumber: (bits: number) => number, signBit: number): number {
  const a = toNumber(x);
  const b = toNumber(y);
  if (a !== a) return x;
  if (b !== b || a === b) return y;
  if (a === 0) return b < 0 ? signBit | 1 : 1;
  return a < b === a > 0 ? x + 1 : x - 1;
}
