const letters = (from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => String.fromCharCode(97 + from + i)).join("");

/** How a projection multiplies and sums: `free` axes stay, `bound` ones are summed, `out` ones are new and have a bias. */
export interface ProjectionEquation {
  readonly equation: string;
  readonly biasAxes: string;
}
/** The equation of a projection of that many axes. */
export function projectionEquation(free: number, bound: number, out: number): ProjectionEquation {
  const [kept, summed, made] = [letters(0, free), letters(free, bound), letters(free + bound, out)];
  return { equation: `${kept}${summed},${summed}${made}->${kept}${made}`, biasAxes: made };
}

/** Equations of attention: scores from keys and queries, then outputs from scores and values. */
export interface AttentionEquations {
  readonly scores: string;
  readonly outputs: string;
}
/**
 * Equations for tensors [batch, ..., heads, size] of `rank` axes that attend along `axes`. The scores are
 * [batch, other axes, heads, query axes, key axes].
 */
export function attentionEquations(rank: number, axes: readonly number[]): AttentionEquations {
  const query = [...letters(0, rank)];
  const fresh = [...letters(rank, axes.length)];
  const isShared = (i: number): boolean => !axes.includes(i);
  const key = query.map((letter, i) => (isShared(i) ? letter : fresh.shift()!));
  const at = (labels: readonly string[]): string => axes.map((axis) => labels[axis]!).join("");
  const batch = query.filter((_, i) => isShared(i) && i < rank - 1).join("");
  const scores = batch + at(query) + at(key);
  return {
    scores: `${key.join("")},${query.join("")}->${scores}`,
    outputs: `${scores},${key.join("")}->${query.join("")}`,
  };
}
