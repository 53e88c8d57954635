// Moving and filling bytes.

/** What memory.copy costs before its first byte is what the loop here takes for about so many. */
const FAR: usize = 1024;

/** Copies bytes between places that do not overlap. */
// @ts-ignore: decorator
@inline export function copyBytes(to: usize, from: usize, bytes: usize): void {
  if (bytes > FAR) memory.copy(to, from, bytes);
  else copyNear(to, from, bytes);
}

function copyNear(to: usize, from: usize, bytes: usize): void {
  const end = from + bytes;
  while (from + 64 <= end) {
    const a = v128.load(from);
    const b = v128.load(from, 16);
    const c = v128.load(from, 32);
    const d = v128.load(from, 48);
    v128.store(to, a);
    v128.store(to, b, 16);
    v128.store(to, c, 32);
    v128.store(to, d, 48);
    from += 64;
    to += 64;
  }
  for (; from + 16 <= end; from += 16) {
    v128.store(to, v128.load(from));
    to += 16;
  }
  for (; from + 4 <= end; from += 4) {
    store<u32>(to, load<u32>(from));
    to += 4;
  }
  for (; from < end; from++) store<u8>(to++, load<u8>(from));
}

/** Repeats eight bytes, given as two words, over `bytes` bytes. */
export function fillBytes(to: usize, bytes: usize, low: i32, high: i32): void {
  const first = low & 0xff;
  if (low == high && low == first * 0x01010101) {
    memory.fill(to, <u8>first, bytes);
    return;
  }
  const value = i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(low), 1, high), 3, high);
  const end = to + bytes;
  for (; to + 16 <= end; to += 16) v128.store(to, value);
  let pattern = (<u64>(<u32>high) << 32) | <u64>(<u32>low);
  for (; to < end; to++) {
    store<u8>(to, <u8>pattern);
    pattern = rotr(pattern, 8);
  }
}
