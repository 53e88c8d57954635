// Random bits of threefry2x32 (Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", 2011), laid out as JAX's partitionable mode:
// element i is x0 ^ x1 of the 64-bit counter i.
import { storeLanes } from "./simd";

// @ts-ignore: decorator
@inline function mix(b: v128, n: i32, a: v128): v128 {
  return v128.xor(v128.or(i32x4.shl(b, n), i32x4.shr_u(b, 32 - n)), a);
}

/** out[i] for the counters start + i, start = high * 2^32 + low; with `out2`, x0 goes to out and x1 to out2. */
export function threefry(k0: i32, k1: i32, high: i32, low: i32, n: i32, out: usize, out2: usize): void {
  const ks0 = i32x4.splat(k0);
  const ks1 = i32x4.splat(k1);
  const ks2 = i32x4.splat(k0 ^ k1 ^ 0x1bd11bda);
  let counter = (<u64><u32>high << 32) | <u64><u32>low;
  for (let i = 0; i < n; i += 4) {
    const c1 = counter + 1;
    const c2 = counter + 2;
    const c3 = counter + 3;
    let a = i32x4.splat(<i32>(counter >> 32));
    a = i32x4.replace_lane(a, 1, <i32>(c1 >> 32));
    a = i32x4.replace_lane(a, 2, <i32>(c2 >> 32));
    a = i32x4.replace_lane(a, 3, <i32>(c3 >> 32));
    let b = i32x4.splat(<i32>counter);
    b = i32x4.replace_lane(b, 1, <i32>c1);
    b = i32x4.replace_lane(b, 2, <i32>c2);
    b = i32x4.replace_lane(b, 3, <i32>c3);
    counter += 4;
    a = i32x4.add(a, ks0);
    b = i32x4.add(b, ks1);
    a = i32x4.add(a, b);
    b = mix(b, 13, a);
    a = i32x4.add(a, b);
    b = mix(b, 15, a);
    a = i32x4.add(a, b);
    b = mix(b, 26, a);
    a = i32x4.add(a, b);
    b = mix(b, 6, a);
    a = i32x4.add(a, ks1);
    b = i32x4.add(b, i32x4.add(ks2, i32x4.splat(1)));
    a = i32x4.add(a, b);
    b = mix(b, 17, a);
    a = i32x4.add(a, b);
    b = mix(b, 29, a);
    a = i32x4.add(a, b);
    b = mix(b, 16, a);
    a = i32x4.add(a, b);
    b = mix(b, 24, a);
    a = i32x4.add(a, ks2);
    b = i32x4.add(b, i32x4.add(ks0, i32x4.splat(2)));
    a = i32x4.add(a, b);
    b = mix(b, 13, a);
    a = i32x4.add(a, b);
    b = mix(b, 15, a);
    a = i32x4.add(a, b);
    b = mix(b, 26, a);
    a = i32x4.add(a, b);
    b = mix(b, 6, a);
    a = i32x4.add(a, ks0);
    b = i32x4.add(b, i32x4.add(ks1, i32x4.splat(3)));
    a = i32x4.add(a, b);
    b = mix(b, 17, a);
    a = i32x4.add(a, b);
    b = mix(b, 29, a);
    a = i32x4.add(a, b);
    b = mix(b, 16, a);
    a = i32x4.add(a, b);
    b = mix(b, 24, a);
    a = i32x4.add(a, ks1);
    b = i32x4.add(b, i32x4.add(ks2, i32x4.splat(4)));
    a = i32x4.add(a, b);
    b = mix(b, 13, a);
    a = i32x4.add(a, b);
    b = mix(b, 15, a);
    a = i32x4.add(a, b);
    b = mix(b, 26, a);
    a = i32x4.add(a, b);
    b = mix(b, 6, a);
    a = i32x4.add(a, ks2);
    b = i32x4.add(b, i32x4.add(ks0, i32x4.splat(5)));
    const p = <usize>i << 2;
    if (out2) {
      storeLanes(out + p, a, n - i);
      storeLanes(out2 + p, b, n - i);
    } else storeLanes(out + p, v128.xor(a, b), n - i);
  }
}
