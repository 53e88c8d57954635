/*
 * Reflections I - tau v v^T of two or three neighbouring rows or columns, v = (1, v1, v2), written out because the general
 * loops spend their time on so short vectors; `third` says whether there are three.
 */

/** Reflects row `row` and the next ones of `a` (rows of `width` elements), from column `from` on, in place. */
export function reflectFewRows(
  a: Float64Array,
  width: number,
  row: number,
  from: number,
  v1: number,
  v2: number,
  tau: number,
  third: boolean,
): void {
  const first = row * width;
  const second = first + width;
  const last = second + width;
  for (let j = from; j < width; j++) {
    const sum = tau * (a[first + j]! + v1 * a[second + j]! + (third ? v2 * a[last + j]! : 0));
    a[first + j]! -= sum;
    a[second + j]! -= sum * v1;
    if (third) a[last + j]! -= sum * v2;
  }
}

/** Reflects column `column` and the next ones of the rows 0 to `rows - 1` of `a`, in place. */
export function reflectFewColumns(
  a: Float64Array,
  width: number,
  rows: number,
  column: number,
  v1: number,
  v2: number,
  tau: number,
  third: boolean,
): void {
  for (let i = column, end = rows * width + column; i < end; i += width) {
    const sum = tau * (a[i]! + v1 * a[i + 1]! + (third ? v2 * a[i + 2]! : 0));
    a[i]! -= sum;
    a[i + 1]! -= sum * v1;
    if (third) a[i + 2]! -= sum * v2;
  }
}
