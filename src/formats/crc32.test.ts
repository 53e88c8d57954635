import { describe, expect, it } from "vitest";
import { crc32, crc32Portable } from "./crc32.js";

const check = new TextEncoder().encode("123456789");

describe.each([
  ["crc32", crc32],
  ["crc32Portable", crc32Portable],
])("%s", (_name, crc) => {
  it("has the check value of CRC-32", () => {
    expect(crc(check)).toBe(0xcbf43926);
    expect(crc(new Uint8Array(0))).toBe(0);
  });

  it("goes on from a seed, also over nothing", () => {
    expect(crc(check.subarray(4), crc(check.subarray(0, 4)))).toBe(0xcbf43926);
    expect(crc(new Uint8Array(0), 0xcbf43926)).toBe(0xcbf43926);
  });
});

it("gives the same with and without native help, whatever the length and place in memory", () => {
  const bytes = Uint8Array.from({ length: 300 }, (_, i) => (i * 7919) >> 3);
  for (let from = 0; from < 9; from++) {
    for (let to = from; to < 300; to += 13) {
      const part = bytes.subarray(from, to);
      expect(crc32Portable(part, from)).toBe(crc32(part, from));
    }
  }
});
