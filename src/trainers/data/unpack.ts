import type { Triple } from "../types.js";

/**
 * Inputs, targets and sample weights of a batch: `[x]`, `[x, y]` or `[x, y, sampleWeight]`; anything but an array is `x` alone.
 * @throws TypeError for longer and empty arrays.
 */
export function unpackXYSampleWeight<T>(data: T | readonly (T | null)[]): Triple<T> {
  if (!Array.isArray(data)) return [data as T, null, null];
  if (data.length === 0 || data.length > 3)
    throw new TypeError(
      `A batch must be x, [x], [x, y] or [x, y, sampleWeight]. Received an array of ${data.length}. Wrap several inputs: [[x1, x2], y].`,
    );
  const [x, y, sampleWeight] = data as readonly (T | null | undefined)[];
  return [x as T, y ?? null, sampleWeight ?? null];
}
/** A batch in the shortest form that `unpackXYSampleWeight` reads back. */
export function packXYSampleWeight<T>(x: T, y: T | null = null, sampleWeight: T | null = null): T | (T | null)[] {
  if (y === null) return Array.isArray(x) ? [x] : x;
  return sampleWeight === null ? [x, y] : [x, y, sampleWeight];
}
