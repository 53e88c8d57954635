import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { fletcher32, undoFilters } from "./filters.js";
import type { H5Filter } from "./filters.js";

const filter = (id: number, ...parameters: number[]): H5Filter => ({ id, name: "", parameters });
const deflate = filter(1, 4);
const shuffle = filter(2, 4);
const sum = filter(3);

const plain = Uint8Array.from({ length: 40 }, (_, i) => i);
const shuffled = Uint8Array.from({ length: 40 }, (_, i) => 4 * (i % 10) + Math.floor(i / 10));
const summed = (bytes: Uint8Array): Uint8Array => {
  const out = new Uint8Array(bytes.length + 4);
  out.set(bytes);
  new DataView(out.buffer).setUint32(bytes.length, fletcher32(bytes), true);
  return out;
};
const deflated = (bytes: Uint8Array): Uint8Array => new Uint8Array(deflateSync(bytes));

describe("undoFilters", () => {
  it.each<[string, Uint8Array, H5Filter[], number]>([
    ["nothing", plain, [], 0],
    ["shuffle", shuffled, [shuffle], 0],
    ["shuffle, then deflate", deflated(shuffled), [shuffle, deflate], 0],
    ["shuffle, deflate, checksum", summed(deflated(shuffled)), [shuffle, deflate, sum], 0],
    ["checksum, then deflate", deflated(summed(plain)), [sum, deflate], 0],
    ["filters left out by the mask", summed(plain), [shuffle, deflate, sum], 0b011],
  ])("undoes %s", async (_what, stored, filters, mask) => {
    expect(await undoFilters(stored, filters, mask, 40, "file")).toEqual(plain);
  });

  it("leaves bytes that make no whole element at the end", async () => {
    const odd = Uint8Array.of(0, 4, 1, 5, 2, 6, 3, 7, 9);
    expect(await undoFilters(odd, [shuffle], 0, 9, "file")).toEqual(Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 9));
  });

  it("throws on damage, other sizes and unknown filters", async () => {
    const damaged = summed(plain);
    damaged[3]! ^= 1;
    await expect(undoFilters(damaged, [sum], 0, 40, "file")).rejects.toThrow("file: a chunk is damaged");
    await expect(undoFilters(plain, [], 0, 41, "file")).rejects.toThrow("a chunk has 40 bytes. Expected 41");
    await expect(undoFilters(plain, [filter(32000)], 0, 40, "file")).rejects.toThrow("filter 32000 (lzf)");
    await expect(undoFilters(plain, [filter(777)], 0, 40, "file")).rejects.toThrow("filter 777 (unknown)");
  });
});

it("fletcher32 folds long sums", () => {
  expect(fletcher32(new Uint8Array(0))).toBe(0);
  expect(fletcher32(Uint8Array.of(1, 2))).toBe(0x01020102);
  expect(fletcher32(Uint8Array.of(1, 2, 3))).toBe(0x05040402);
  // Every word is 0xffff, which is zero in arithmetic modulo 65535.
  expect(fletcher32(new Uint8Array(4000).fill(0xff))).toBe(0xffffffff);
});
