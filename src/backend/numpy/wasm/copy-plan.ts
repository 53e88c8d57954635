/** Axes of a strided copy, merged and ordered for the kernel; strides count elements. */
export interface CopyPlan {
  readonly sizes: readonly number[];
  readonly from: readonly number[];
  readonly to: readonly number[];
}

const MAX_RANK = 6;

/**
 * Merges and orders the axes of a copy: the destination's smallest stride last, before it the axis along which the source is adjacent.
 * Null when there is nothing to copy; throws past six axes that do not merge.
 */
export function planCopy(shape: readonly number[], from: readonly number[], to: readonly number[]): CopyPlan | null {
  if (shape.includes(0)) return null;
  const axes = shape
    .map((size, i) => ({ size, from: from[i]!, to: to[i]! }))
    .filter(({ size }) => size !== 1)
    .sort((a, b) => Math.abs(b.to) - Math.abs(a.to));
  const merged: { size: number; from: number; to: number }[] = [];
  for (const axis of axes) {
    const last = merged.at(-1);
    if (last && last.from === axis.from * axis.size && last.to === axis.to * axis.size) {
      last.size *= axis.size;
      last.from = axis.from;
      last.to = axis.to;
    } else merged.push({ ...axis });
  }
  if (merged.length === 0) merged.push({ size: 1, from: 1, to: 1 });
  if (merged.length > MAX_RANK) {
    throw new RangeError(`A strided copy may have ${MAX_RANK} axes that do not merge. Received: ${merged.length}.`);
  }
  const adjacent = merged.findIndex((axis) => axis.from === 1);
  if (adjacent >= 0 && adjacent < merged.length - 2) merged.splice(-1, 0, ...merged.splice(adjacent, 1));
  return { sizes: merged.map((a) => a.size), from: merged.map((a) => a.from), to: merged.map((a) => a.to) };
}
