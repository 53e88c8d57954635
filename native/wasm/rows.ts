// Rows picked by int32 indices, and added back.

export const CLIP: i32 = 0;
export const FILL: i32 = 1;

/** dst[i] = src[index[i]] for rows of `bytes` bytes (a multiple of 4). Outside [0, rows): the nearest row, or `fill` in every word. */
export function takeRows(src: usize, rows: i32, bytes: i32, index: usize, n: i32, dst: usize, mode: i32, fill: i32): void {
  for (let i = 0; i < n; i++) {
    let row = load<i32>(index + (<usize>i << 2));
    if (<u32>row >= <u32>rows && mode == FILL) {
      for (let b: usize = 0; b < <usize>bytes; b += 4) store<i32>(dst + b, fill);
    } else {
      row = max(0, min(rows - 1, row));
      const p = src + <usize>row * <usize>bytes;
      if (bytes <= 64) for (let b: usize = 0; b < <usize>bytes; b += 4) store<i32>(dst + b, load<i32>(p + b));
      else memory.copy(dst, p, bytes);
    }
    dst += bytes;
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
