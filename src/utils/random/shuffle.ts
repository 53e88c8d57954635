/** Anything that can be shuffled in place. */
export interface Shuffleable {
  readonly length: number;
  [index: number]: unknown;
}

/**
 * Shuffles (Fisher and Yates, from the end) the vector of `length` elements that starts at `offset` and advances by
 * `stride`; `upTo(last)` draws a uniform integer from 0 to `last`.
 */
export function shuffleWith(
  upTo: (last: number) => number,
  values: Shuffleable,
  offset = 0,
  stride = 1,
  length = values.length,
): void {
  for (let i = length - 1; i > 0; i--) {
    const a = offset + i * stride;
    const b = offset + upTo(i) * stride;
    const kept = values[a];
    values[a] = values[b];
    values[b] = kept;
  }
}
