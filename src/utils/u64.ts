/** A BigInt as an unsigned number of 64 bits: what is beyond them is dropped. */
export const u64 = (x: bigint): bigint => BigInt.asUintN(64, x);
/** 64 bits turned to the right. */
export const rotateRight = (x: bigint, by: bigint): bigint => u64((x >> by) | (x << (64n - by)));
/** 64 bits turned to the left. */
export const rotateLeft = (x: bigint, by: bigint): bigint => rotateRight(x, 64n - by);
