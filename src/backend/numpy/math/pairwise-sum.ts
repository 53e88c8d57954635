/** Below this many terms a block is summed directly. */
const BLOCK = 128;

/**
 * The sum of `length` elements from `offset` on, `stride` apart. Terms are added in float64 in eight running sums per
 * block, and blocks in pairs, so that the rounding error grows with the logarithm of the length (Higham, 1993).
 */
export function pairwiseSum(
  values: ArrayLike<number>,
  offset = 0,
  length = values.length - offset,
  stride = 1,
): number {
  if (length > BLOCK) {
    const half = (length >> 1) & ~7;
    return (
      pairwiseSum(values, offset, half, stride) + pairwiseSum(values, offset + half * stride, length - half, stride)
    );
  }
  let index = offset;
  let left = length;
  let total = 0;
  if (left >= 8) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let e = 0;
    let f = 0;
    let g = 0;
    let h = 0;
    for (; left >= 8; left -= 8) {
      a += values[index]!;
      b += values[index + stride]!;
      c += values[index + 2 * stride]!;
      d += values[index + 3 * stride]!;
      e += values[index + 4 * stride]!;
      f += values[index + 5 * stride]!;
      g += values[index + 6 * stride]!;
      h += values[index + 7 * stride]!;
      index += 8 * stride;
    }
    total = a + b + (c + d) + (e + f + (g + h));
  }
  for (; left > 0; left--) {
    total += values[index]!;
    index += stride;
  }
  return total;
}
