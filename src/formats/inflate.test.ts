import { deflateRawSync, deflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { FormatError } from "./format-error.js";
import { inflate } from "./inflate.js";

const plain = new Uint8Array(200_000).map((_, i) => (i % 251) ^ (i >> 9));
const packed = new Uint8Array(deflateSync(plain));

it("expands zlib and raw streams", async () => {
  const same = (bytes: Uint8Array): boolean => Buffer.compare(bytes, plain) === 0;
  expect(same(await inflate(packed, "deflate", plain.length, "file"))).toBe(true);
  const raw = new Uint8Array(deflateRawSync(plain));
  expect(same(await inflate(raw, "deflate-raw", plain.length, "file"))).toBe(true);
});

it("throws when the size is not the declared one", async () => {
  await expect(inflate(packed, "deflate", plain.length - 1, "file")).rejects.toThrow("file: expands to more than");
  await expect(inflate(packed, "deflate", plain.length + 1, "file")).rejects.toThrow("file: expands to 200000 bytes");
  await expect(inflate(packed, "deflate", 2 ** 40, "file")).rejects.toThrow("cannot expand to the declared");
});

it("throws on damaged and cut off streams", async () => {
  for (let length = 0; length < packed.length; length += 97) {
    await expect(inflate(packed.subarray(0, length), "deflate", plain.length, "file")).rejects.toThrow(FormatError);
  }
  const damaged = packed.slice().fill(0x55, 100, 120);
  await expect(inflate(damaged, "deflate", plain.length, "file")).rejects.toThrow(FormatError);
});
