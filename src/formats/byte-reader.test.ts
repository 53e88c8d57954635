import { expect, it } from "vitest";
import { ByteReader } from "./byte-reader.js";
import { ByteWriter } from "./byte-writer.js";
import { FormatError } from "./format-error.js";

it("reads what a ByteWriter wrote", () => {
  const bytes = new ByteWriter(1).u8(1, 2).u16(0xfffe).u32(0xfffffffd).u64(2 ** 40).u64(5n).text("ä").zeros(3).done(); // prettier-ignore
  const reader = new ByteReader(bytes, "file");
  expect([reader.u8(), reader.u8(), reader.u16(), reader.u32(), reader.u64(), reader.u64()]).toEqual([
    1,
    2,
    0xfffe,
    0xfffffffd,
    2 ** 40,
    5,
  ]);
  expect(reader.take(2)).toEqual(Uint8Array.of(0xc3, 0xa4));
  expect(reader.uint(3)).toBe(0);
  expect(reader.remaining).toBe(0);
});

it("never reads past its end", () => {
  const reader = new ByteReader(new Uint8Array(10), "file", 0, 4);
  reader.skip(3);
  expect(() => reader.u16()).toThrow("file: 2 bytes were expected at 3, but only 1 are left");
  expect(() => reader.skip(-1)).toThrow(FormatError);
  expect(() => reader.skip(NaN)).toThrow(FormatError);
  reader.position = 100;
  expect(() => reader.u8()).toThrow(FormatError);
  expect(() => new ByteReader(new Uint8Array(2), "file", 3)).toThrow(FormatError);
});

it("refuses sizes past 2^53", () => {
  expect(() => new ByteReader(new Uint8Array(8).fill(0xff), "file").u64()).toThrow("too large");
});
