/** One column: its heading, how cells are aligned, and how wide it would like to be without padding. */
export interface Column {
  readonly header: string;
  readonly align: "left" | "right" | "center";
  readonly width: number;
}

/**
 * A boxed table of exactly `width` characters with a heavy head and a line between rows: the look of Python's `rich`, which Keras
 * prints summaries with. Columns give up equal parts of what is missing; cells wrap at spaces, and words too long end in "…".
 */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const inner = shrink(
    columns.map((column) => column.width + 2),
    width - columns.length - 1,
  );
  const line = (left: string, fill: string, cross: string, right: string): string =>
    left + inner.map((w) => fill.repeat(w)).join(cross) + right;
  const row = (cells: readonly string[], bar: string): string[] => {
    const wrapped = cells.map((cell, i) => wrap(cell, inner[i]! - 2));
    const height = Math.max(...wrapped.map((lines) => lines.length));
    return Array.from({ length: height }, (_, k) => {
      const texts = wrapped.map((lines, i) => ` ${aligned(lines[k] ?? "", inner[i]! - 2, columns[i]!.align)} `);
      return bar + texts.join(bar) + bar;
    });
  };
  const body = rows.flatMap((cells, i) => [...(i > 0 ? [line("├", "─", "┼", "┤")] : []), ...row(cells, "│")]);
  return [
    line("┏", "━", "┳", "┓"),
    ...row(
      columns.map(({ header }) => header),
      "┃",
    ),
    line("┡", "━", "╇", "┩"),
    ...body,
    line("└", "─", "┴", "┘"),
  ];
}

/** Takes what `widths` have beyond `total` from all of them in turn, rounding halves to even. */
function shrink(widths: readonly number[], total: number): number[] {
  let excess = widths.reduce((sum, w) => sum + w, 0) - total;
  if (excess <= 0) return [...widths];
  return widths.map((width, i) => {
    const part = Math.min(width, roundHalfEven(excess / (widths.length - i)));
    excess -= part;
    return width - part;
  });
}
function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  if (x - floor !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** Lines of at most `width` characters. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const [word] of text.matchAll(/\s*\S+\s*/gu)) {
    if (line !== "" && length(line) + length(word.trimEnd()) > width) {
      lines.push(line);
      line = "";
    }
    line += word;
  }
  lines.push(line);
  return lines.map((one) => cut(one.trimEnd(), width));
}
const length = (text: string): number => [...text].length;
const cut = (text: string, width: number): string =>
  length(text) <= width ? text : `${[...text].slice(0, Math.max(0, width - 1)).join("")}…`;

function aligned(text: string, width: number, align: Column["align"]): string {
  const space = Math.max(0, width - length(text));
  const left = align === "left" ? 0 : align === "right" ? space : Math.floor(space / 2);
  return " ".repeat(left) + text + " ".repeat(space - left);
}
