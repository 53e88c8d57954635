// Random bits of threefry2x32 (Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", 2011), laid out as JAX's partitionable mode:
// element i is x0 ^ x1 of the 64-bit counter i.
import { storeLanes } from "./simd";

// @ts-ignore: decorator
@inline function mix(b: v128, n: i32, a: v128): v128 {
  return v128.xor(v128.or(i32x4.shl(b, n), i32x4.shr_u(b, 32 - n)), a);
}

// @ts-ignore: decorator
@inline function lanes(c0: u64, c1: u64, c2: u64, c3: u64, shift: u64): v128 {
  let a = i32x4.splat(<i32>(c0 >> shift));
  a = i32x4.replace_lane(a, 1, <i32>(c1 >> shift));
  a = i32x4.replace_lane(a, 2, <i32>(c2 >> shift));
  return i32x4.replace_lane(a, 3, <i32>(c3 >> shift));
}

/** out[i] for the counters start + i, start = high * 2^32 + low; with `out2`, x0 goes to out and x1 to out2. */
export function threefry(k0: i32, k1: i32, high: i32, low: i32, n: i32, out: usize, out2: usize): void {
  const ks0 = i32x4.splat(k0);
  const ks1 = i32x4.splat(k1);
  const ks2 = i32x4.splat(k0 ^ k1 ^ 0x1bd11bda);
  let t = (<u64><u32>high << 32) | <u64><u32>low;
  // Two groups of four run side by side: a round is a chain of dependent instructions.
  for (let i = 0; i < n; i += 8) {
    let a = i32x4.add(lanes(t, t + 1, t + 2, t + 3, 32), ks0);
    let b = i32x4.add(lanes(t, t + 1, t + 2, t + 3, 0), ks1);
    let c = i32x4.add(lanes(t + 4, t + 5, t + 6, t + 7, 32), ks0);
    let d = i32x4.add(lanes(t + 4, t + 5, t + 6, t + 7, 0), ks1);
    t += 8;
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 13, a);
    d = mix(d, 13, c);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 15, a);
    d = mix(d, 15, c);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 26, a);
    d = mix(d, 26, c);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 6, a);
    d = mix(d, 6, c);
    const s0 = i32x4.add(ks2, i32x4.splat(1));
    a = i32x4.add(a, ks1);
    b = i32x4.add(b, s0);
    c = i32x4.add(c, ks1);
    d = i32x4.add(d, s0);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 17, a);
    d = mix(d, 17, c);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 29, a);
    d = mix(d, 29, c);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 16, a);
    d = mix(d, 16, c);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 24, a);
    d = mix(d, 24, c);
    const s1 = i32x4.add(ks0, i32x4.splat(2));
    a = i32x4.add(a, ks2);
    b = i32x4.add(b, s1);
    c = i32x4.add(c, ks2);
    d = i32x4.add(d, s1);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 13, a);
    d = mix(d, 13, c);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 15, a);
    d = mix(d, 15, c);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 26, a);
    d = mix(d, 26, c);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 6, a);
    d = mix(d, 6, c);
    const s2 = i32x4.add(ks1, i32x4.splat(3));
    a = i32x4.add(a, ks0);
    b = i32x4.add(b, s2);
    c = i32x4.add(c, ks0);
    d = i32x4.add(d, s2);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 17, a);
    d = mix(d, 17, c);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 29, a);
    d = mix(d, 29, c);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 16, a);
    d = mix(d, 16, c);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 24, a);
    d = mix(d, 24, c);
    const s3 = i32x4.add(ks2, i32x4.splat(4));
    a = i32x4.add(a, ks1);
    b = i32x4.add(b, s3);
    c = i32x4.add(c, ks1);
    d = i32x4.add(d, s3);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 13, a);
    d = mix(d, 13, c);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 15, a);
    d = mix(d, 15, c);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 26, a);
    d = mix(d, 26, c);
    a = i32x4.add(a, b);
    c = i32x4.add(c, d);
    b = mix(b, 6, a);
    d = mix(d, 6, c);
    const s4 = i32x4.add(ks0, i32x4.splat(5));
    a = i32x4.add(a, ks2);
    b = i32x4.add(b, s4);
    c = i32x4.add(c, ks2);
    d = i32x4.add(d, s4);
    const p = <usize>i << 2;
    put(out + p, out2 ? a : v128.xor(a, b), out2 ? c : v128.xor(c, d), n - i);
    if (out2) put(out2 + p, b, d, n - i);
  }
}

// @ts-ignore: decorator
@inline function put(p: usize, x: v128, y: v128, count: i32): void {
  storeLanes(p, x, count);
  if (count > 4) storeLanes(p + 16, y, count - 4);
}
