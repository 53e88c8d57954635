import { describe, expect, it } from "vitest";
import * as f from "./float16.js";

// Value, then its float16, bfloat16, float8_e4m3fn and float8_e5m2 patterns as NumPy and ml_dtypes give them.
// prettier-ignore
const table: readonly (readonly [number, number, number, number, number])[] = [
  [0.0, 0x0000, 0x0000, 0x00, 0x00],
  [-0.0, 0x8000, 0x8000, 0x80, 0x80],
  [1.0, 0x3c00, 0x3f80, 0x38, 0x3c],
  [-1.0, 0xbc00, 0xbf80, 0xb8, 0xbc],
  [0.1, 0x2e66, 0x3dcd, 0x1d, 0x2e],
  [1 / 3, 0x3555, 0x3eab, 0x2b, 0x35],
  [3.14159265, 0x4248, 0x4049, 0x45, 0x42],
  [0.001, 0x1419, 0x3a83, 0x01, 0x14],
  [2 ** -14, 0x0400, 0x3880, 0x00, 0x04],
  [2 ** -14 * (1023 / 1024), 0x03ff, 0x3880, 0x00, 0x04],
  [2 ** -24, 0x0001, 0x3380, 0x00, 0x00],
  [2 ** -25, 0x0000, 0x3300, 0x00, 0x00],
  [2 ** -25 * 1.0001, 0x0001, 0x3300, 0x00, 0x00],
  [-2.288818359375e-5, 0x8180, 0xb7c0, 0x80, 0x82],
  [2 ** -10, 0x1400, 0x3a80, 0x00, 0x14],
  [1.5 * 2 ** -9, 0x1a00, 0x3b40, 0x02, 0x1a],
  [448, 0x5f00, 0x43e0, 0x7e, 0x5f],
  [464, 0x5f40, 0x43e8, 0x7e, 0x5f],
  [464.1, 0x5f40, 0x43e8, 0x7f, 0x5f],
  [57344, 0x7b00, 0x4760, 0x7f, 0x7b],
  [61439, 0x7b80, 0x4770, 0x7f, 0x7b],
  [61440, 0x7b80, 0x4770, 0x7f, 0x7c],
  [65519, 0x7bff, 0x4780, 0x7f, 0x7c],
  [65520, 0x7c00, 0x4780, 0x7f, 0x7c],
  [3.3895314e38, 0x7c00, 0x7f7f, 0x7f, 0x7c],
  [3.4e38, 0x7c00, 0x7f80, 0x7f, 0x7c],
  [1e300, 0x7c00, 0x7f80, 0x7f, 0x7c],
  [Infinity, 0x7c00, 0x7f80, 0x7f, 0x7c],
  [-Infinity, 0xfc00, 0xff80, 0xff, 0xfc],
  [NaN, 0x7e00, 0x7fc0, 0x7f, 0x7e],
  [1e-40, 0x0000, 0x0001, 0x00, 0x00],
  [1e-300, 0x0000, 0x0000, 0x00, 0x00],
];

const formats = [
  {
    name: "float16",
    column: 1,
    toNumber: f.float16ToNumber,
    fromNumber: f.numberToFloat16,
    decode: (bits: number[]) => f.decodeFloat16(Uint16Array.from(bits)),
    encode: f.encodeFloat16,
    patterns: 1 << 16,
  },
  {
    name: "bfloat16",
    column: 2,
    toNumber: f.bfloat16ToNumber,
    fromNumber: f.numberToBfloat16,
    decode: (bits: number[]) => f.decodeBfloat16(Uint16Array.from(bits)),
    encode: f.encodeBfloat16,
    patterns: 1 << 16,
  },
  {
    name: "float8_e4m3fn",
    column: 3,
    toNumber: f.float8E4M3ToNumber,
    fromNumber: f.numberToFloat8E4M3,
    decode: (bits: number[]) => f.decodeFloat8E4M3(Uint8Array.from(bits)),
    encode: f.encodeFloat8E4M3,
    patterns: 1 << 8,
  },
  {
    name: "float8_e5m2",
    column: 4,
    toNumber: f.float8E5M2ToNumber,
    fromNumber: f.numberToFloat8E5M2,
    decode: (bits: number[]) => f.decodeFloat8E5M2(Uint8Array.from(bits)),
    encode: f.encodeFloat8E5M2,
    patterns: 1 << 8,
  },
] as const;

describe.each(formats)("$name", ({ column, toNumber, fromNumber, decode, encode, patterns }) => {
  it("rounds single numbers as NumPy and ml_dtypes do", () => {
    for (const row of table) expect([row[0], fromNumber(row[0])]).toEqual([row[0], row[column]]);
  });

  it("rounds arrays, float32 or not, as it rounds single numbers", () => {
    const values = table.map((row) => row[0]);
    expect(Array.from(encode(values))).toEqual(table.map((row) => row[column]));
    const singles = Float32Array.from(values);
    expect(Array.from(encode(singles))).toEqual(Array.from(singles, fromNumber));
  });

  it("returns every pattern that is a number unchanged", () => {
    const wrong = [];
    for (let bits = 0; bits < patterns; bits++) {
      const value = toNumber(bits);
      if (!Number.isNaN(value) && fromNumber(value) !== bits) wrong.push(bits);
    }
    expect(wrong).toEqual([]);
    const all = Array.from({ length: patterns }, (_, bits) => bits);
    expect(Array.from(decode(all))).toEqual(all.map(toNumber));
  });

  it("rounds to the nearer neighbour and breaks ties towards the even pattern", () => {
    const wrong = [];
    for (let bits = 0; bits < patterns / 2 - 1; bits++) {
      const low = toNumber(bits);
      const high = toNumber(bits + 1);
      if (!Number.isFinite(high)) continue;
      const middle = (low + high) / 2;
      const nudge = middle * 2 ** -50;
      const expected = [bits, bits % 2 === 0 ? bits : bits + 1, bits + 1];
      const got = [middle - nudge, middle, middle + nudge].map(fromNumber);
      if (got.join() !== expected.join()) wrong.push({ bits, got });
    }
    expect(wrong).toEqual([]);
  });
});

it("fills an output array in place", () => {
  const bits = new Uint16Array(3);
  expect(f.encodeFloat16([1, -2], bits)).toBe(bits);
  expect([...bits]).toEqual([0x3c00, 0xc000, 0]);
  const numbers = new Float32Array(3);
  expect(f.decodeFloat16(bits, numbers)).toBe(numbers);
  expect([...numbers]).toEqual([1, -2, 0]);
});
