/** Replaces rows `i` and `j` of `a` (rows of `width` elements) by c row(i) + s row(j) and c row(j) - s row(i). */
export function rotateRows(a: Float64Array, width: number, i: number, j: number, c: number, s: number): void {
  const first = i * width;
  const second = j * width;
  for (let k = 0; k < width; k++) {
    const x = a[first + k]!;
    const y = a[second + k]!;
    a[first + k] = c * x + s * y;
    a[second + k] = c * y - s * x;
  }
}
