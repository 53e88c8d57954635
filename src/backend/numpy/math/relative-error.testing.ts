/** The largest relative error of a function over a table of arguments and true values; for tests. */
export function worstRelativeError(
  compute: (x: number) => number,
  table: readonly (readonly [x: number, value: number])[],
): number {
  return Math.max(...table.map(([x, value]) => Math.abs(compute(x) - value) / Math.abs(value)));
}
