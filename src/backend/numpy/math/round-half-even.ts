const SHIFT = 2 ** 52;

/** The nearest integer; halves go to the even neighbour, and the sign of zero is kept. */
export function roundHalfEven(x: number): number {
  if (!(Math.abs(x) < SHIFT)) return x;
  // At 2^52 the spacing is one: adding and taking away leaves the rounding of the processor.
  if (x > 0) return x + SHIFT - SHIFT;
  return x < 0 ? -(SHIFT - x - SHIFT) : x;
}
