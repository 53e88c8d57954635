/**
 * Little-endian 32-bit words of a non-negative integer, at least one. Throws TypeError for a fraction or an unsafe
 * number, RangeError for a negative integer.
 */
export function toWords(value: number | bigint, name: string): number[] {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new TypeError(`${name} must be a safe integer or a bigint. Received: ${value}.`);
  }
  let rest = BigInt(value);
  if (rest < 0n) throw new RangeError(`${name} must not be negative. Received: ${value}.`);
  const words: number[] = [];
  do {
    words.push(Number(rest & 0xffffffffn));
    rest >>= 32n;
  } while (rest > 0n);
  return words;
}

/** Words of unpredictable entropy from the platform's generator. */
export function entropyWords(count: number): Uint32Array {
  return globalThis.crypto.getRandomValues(new Uint32Array(count));
}
