import { expect, it } from "vitest";
import { lookup3 } from "./lookup3.js";

it.each([
  ["", 0xdeadbeef],
  ["Four score and seven years ago", 0x17770551],
])("gives the value that lookup3's author published for %j", (text, hash) => {
  expect(lookup3(new TextEncoder().encode(text))).toBe(hash);
});

it("reads every byte", () => {
  const bytes = Uint8Array.from({ length: 37 }, (_, i) => i);
  const hashes = new Set([lookup3(bytes)]);
  bytes.forEach((byte, i) => {
    const other = bytes.slice();
    other[i] = byte ^ 0x80;
    hashes.add(lookup3(other));
  });
  expect(hashes.size).toBe(38);
});
