// Rows and elements picked by int32 indices, and rows added back.
import { copyBytes } from "./bytes";

export const CLIP: i32 = 0;
export const FILL: i32 = 1;

// @ts-ignore: decorator
@inline function word(src: usize, row: i32, rows: i32, stride: usize, mode: i32, fill: i32): i32 {
  if (<u32>row >= <u32>rows) {
    if (mode == FILL) return fill;
    row = row < 0 ? 0 : rows - 1;
  }
  return load<i32>(src + <usize>row * stride);
}

/**
 * dst[o, i] = src[o, index[i]] for rows of `bytes` bytes (a multiple of 4) and o < outer. Outside [0, rows): the nearest row, or `fill` in
 * every word.
 */
export function takeRows(
  src: usize, rows: i32, bytes: i32, index: usize, n: i32, dst: usize, mode: i32, fill: i32, outer: i32,
): void {
  const width = <usize>bytes;
  const end = index + (<usize>n << 2);
  for (let o = 0; o < outer; o++) {
    if (bytes == 4) {
      for (let at = index; at < end; at += 4) {
        store<i32>(dst, word(src, load<i32>(at), rows, 4, mode, fill));
        dst += 4;
      }
    } else {
      for (let at = index; at < end; at += 4) {
        let row = load<i32>(at);
        if (<u32>row >= <u32>rows) {
          if (mode == FILL) {
            for (let b: usize = 0; b < width; b += 4) store<i32>(dst + b, fill);
            dst += width;
            continue;
          }
          row = row < 0 ? 0 : rows - 1;
        }
        const from = src + <usize>row * width;
        // Pixels of a few channels are worth not looking at their length.
        if (bytes == 16) v128.store(dst, v128.load(from));
        else if (bytes == 12) {
          store<i64>(dst, load<i64>(from));
          store<i32>(dst + 8, load<i32>(from + 8));
        } else copyBytes(dst, from, width);
        dst += width;
      }
    }
    src += <usize>rows * width;
  }
}

/** dst[o, i, j] = src[o, index[o, i, j], j] for words: o < outer, i < n, j < inner, and `rows` elements along the axis of src. */
export function takeAlong(
  src: usize, rows: i32, inner: i32, index: usize, n: i32, dst: usize, mode: i32, fill: i32, outer: i32,
): void {
  const stride = <usize>inner << 2;
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < inner; j++) {
        store<i32>(dst, word(src + (<usize>j << 2), load<i32>(index), rows, stride, mode, fill));
        index += 4;
        dst += 4;
      }
    }
    src += <usize>rows * stride;
  }
}

/** dst[index[i]] += src[i] for rows of `width` floats, in the order of i; indices outside [0, rows) are dropped. */
export function scatterAddRows(dst: usize, rows: i32, width: i32, index: usize, n: i32, src: usize): void {
  const bytes = <usize>width << 2;
  const vectors = bytes & ~<usize>15;
  for (let i = 0; i < n; i++) {
    const row = load<i32>(index + (<usize>i << 2));
    if (<u32>row < <u32>rows) {
      const p = dst + <usize>row * bytes;
      let b: usize = 0;
      for (; b < vectors; b += 16) v128.store(p + b, f32x4.add(v128.load(p + b), v128.load(src + b)));
      for (; b < bytes; b += 4) store<f32>(p + b, load<f32>(p + b) + load<f32>(src + b));
    }
    src += bytes;
  }
}
