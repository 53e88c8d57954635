import type { Shape } from "../../../core/dtype.js";
import { type A, sizeOf } from "../ops.js";
import { spread, stridedSlice } from "./movement.js";

/** Windows of more elements would make programs too long to compile. */
export const MOST_TAPS = 128;

/** How a window moves over an image [batch, ...spatial, channels]. */
export interface Sliding {
  readonly strides: readonly number[];
  readonly padding: readonly (readonly [number, number])[];
  readonly dilation: readonly number[];
}

/** Offsets of the elements of a window, in row-major order. */
export function tapsOf(window: Shape): number[][] {
  return Array.from({ length: sizeOf(window) }, (_, flat) => {
    let rest = flat;
    return window
      .map((_, i) => window.length - 1 - i)
      .map((i) => {
        const offset = rest % window[i]!;
        rest = Math.floor(rest / window[i]!);
        return offset;
      })
      .reverse();
  });
}

/** The elements that one tap of the window meets at each of `positions`, in an image padded already. */
export function tapOf(image: A, tap: readonly number[], positions: Shape, { strides, dilation }: Sliding): A {
  const start = tap.map((t, i) => t * dilation[i]!);
  const limit = start.map((s, i) => s + (positions[i]! - 1) * strides[i]! + 1);
  return stridedSlice(image, {
    start: [0, ...start, 0],
    limit: [image.shape[0]!, ...limit, image.shape.at(-1)!],
    strides: [1, ...strides, 1],
  });
}

/** `values` at the places of the padded image that one tap meets, zero elsewhere: the transpose of `tapOf`. */
export function placeTap(values: A, tap: readonly number[], image: Shape, { strides, dilation }: Sliding): A {
  const low = tap.map((t, i) => t * dilation[i]!);
  const high = low.map((l, i) => image[i + 1]! - l - ((values.shape[i + 1]! - 1) * strides[i]! + 1));
  return spread(values, {
    low: [0, ...low, 0],
    high: [0, ...high, 0],
    interior: [0, ...strides.map((s) => s - 1), 0],
  });
}
