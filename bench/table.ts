export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Lays out rows of text in columns: the first flush left, the others flush right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!))).join("  ");
  const [head = [], ...body] = rows;
  return [line(head), widths.map((width) => "-".repeat(width)).join("  "), ...body.map(line)].join("\n");
}

/** Milliseconds with about three significant digits. */
export function ms(value: number): string {
  if (Number.isNaN(value)) return "-";
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

/** How many times as long: "0.85x" is faster than what it is compared with. */
export function ratio(value: number): string {
  return Number.isNaN(value) ? "-" : `${value.toFixed(value >= 10 ? 1 : 2)}x`;
}
