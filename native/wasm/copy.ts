// Strided copies. A description is the rank, then six sizes, six source strides and six destination strides, in elements; its axes are
// merged and ordered so that the destination is adjacent along the last one.
import { copyBytes } from "./bytes";

// @ts-ignore: decorator
@inline function at(desc: usize, table: usize, axis: i32): i32 {
  return load<i32>(desc + table + (<usize>axis << 2), 4);
}

const SIZES: usize = 0;
const FROM: usize = 24;
const TO: usize = 48;

// @ts-ignore: decorator
@inline function lineOf<T>(src: usize, from: i32, dst: usize, to: i32, n: i32): void {
  const a = <usize>from * sizeof<T>();
  const b = <usize>to * sizeof<T>();
  for (let i = 0; i < n; i++) {
    store<T>(dst, load<T>(src));
    src += a;
    dst += b;
  }
}

/** One axis. */
function line(src: usize, from: i32, dst: usize, to: i32, n: i32, shift: i32): void {
  if (from == 1 && to == 1) {
    copyBytes(dst, src, <usize>n << shift);
  } else if (shift == 2) {
    if (from == 0 && to == 1 && n >= 4) {
      const v = v128.load32_splat(src);
      const end = dst + (<usize>(n & ~3) << 2);
      while (dst < end) {
        v128.store(dst, v);
        dst += 16;
      }
      lineOf<u32>(src, 0, dst, 1, n & 3);
    } else lineOf<u32>(src, from, dst, to, n);
  } else if (shift == 0) {
    if (from == 0 && to == 1) memory.fill(dst, load<u8>(src), n);
    else lineOf<u8>(src, from, dst, to, n);
  } else if (shift == 1) lineOf<u16>(src, from, dst, to, n);
  else lineOf<u64>(src, from, dst, to, n);
}

/** Two axes where the source is adjacent along the first and the destination along the second: blocked, in 4x4 tiles of words. */
function transpose(src: usize, from: i32, dst: usize, to: i32, rows: i32, cols: i32, shift: i32): void {
  const block = 32;
  for (let i0 = 0; i0 < rows; i0 += block) {
    const i1 = min(rows, i0 + block);
    for (let j0 = 0; j0 < cols; j0 += block) {
      const j1 = min(cols, j0 + block);
      if (shift != 2) {
        for (let i = i0; i < i1; i++) {
          line(src + (<usize>(i + j0 * from) << shift), from, dst + (<usize>(i * to + j0) << shift), 1, j1 - j0, shift);
        }
        continue;
      }
      let i = i0;
      for (; i + 4 <= i1; i += 4) {
        let p = src + (<usize>(i + j0 * from) << 2);
        let q = dst + (<usize>(i * to + j0) << 2);
        const a = <usize>from << 2;
        const b = <usize>to << 2;
        let j = j0;
        for (; j + 4 <= j1; j += 4) {
          const r0 = v128.load(p);
          const r1 = v128.load(p + a);
          const r2 = v128.load(p + 2 * a);
          const r3 = v128.load(p + 3 * a);
          const lo01 = v128.shuffle<i32>(r0, r1, 0, 4, 1, 5);
          const lo23 = v128.shuffle<i32>(r2, r3, 0, 4, 1, 5);
          const hi01 = v128.shuffle<i32>(r0, r1, 2, 6, 3, 7);
          const hi23 = v128.shuffle<i32>(r2, r3, 2, 6, 3, 7);
          v128.store(q, v128.shuffle<i64>(lo01, lo23, 0, 2));
          v128.store(q + b, v128.shuffle<i64>(lo01, lo23, 1, 3));
          v128.store(q + 2 * b, v128.shuffle<i64>(hi01, hi23, 0, 2));
          v128.store(q + 3 * b, v128.shuffle<i64>(hi01, hi23, 1, 3));
          p += a << 2;
          q += 16;
        }
        for (; j < j1; j++) {
          store<u32>(q, load<u32>(p));
          store<u32>(q + b, load<u32>(p, 4));
          store<u32>(q + 2 * b, load<u32>(p, 8));
          store<u32>(q + 3 * b, load<u32>(p, 12));
          p += a;
          q += 4;
        }
      }
      for (; i < i1; i++) {
        line(src + (<usize>(i + j0 * from) << 2), from, dst + (<usize>(i * to + j0) << 2), 1, j1 - j0, 2);
      }
    }
  }
}

function walk(desc: usize, axis: i32, src: usize, dst: usize, shift: i32): void {
  const rank = load<i32>(desc);
  const n = at(desc, SIZES, axis);
  const from = at(desc, FROM, axis);
  const to = at(desc, TO, axis);
  if (axis == rank - 1) {
    line(src, from, dst, to, n, shift);
    return;
  }
  if (axis == rank - 2 && from == 1 && at(desc, TO, axis + 1) == 1 && at(desc, FROM, axis + 1) != 1) {
    transpose(src, at(desc, FROM, axis + 1), dst, to, n, at(desc, SIZES, axis + 1), shift);
    return;
  }
  const a = <usize>from << shift;
  const b = <usize>to << shift;
  for (let i = 0; i < n; i++) {
    walk(desc, axis + 1, src, dst, shift);
    src += a;
    dst += b;
  }
}

/** Copies elements of 2^shift bytes from one strided layout to another. */
export function copyStrided(desc: usize, src: usize, dst: usize, shift: i32): void {
  walk(desc, 0, src, dst, shift);
}
