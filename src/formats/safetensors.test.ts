import { describe, expect, it } from "vitest";
import { FormatError } from "./format-error.js";
import { looksLikeSafetensors, readSafetensors } from "./safetensors.js";

/** A file of this header, with `data` behind it. */
function file(header: unknown, data: Uint8Array = new Uint8Array(0)): Uint8Array {
  const json = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  const bytes = new Uint8Array(8 + json.length + data.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true);
  bytes.set(json, 8);
  bytes.set(data, 8 + json.length);
  return bytes;
}
const floats = new Uint8Array(Float32Array.of(1, 2, 3, 4, 5, 6).buffer);

describe("readSafetensors", () => {
  it("gives tensors by name, with shape and dtype", () => {
    const bytes = file(
      {
        __metadata__: { format: "pt" },
        b: { dtype: "F32", shape: [2, 2], data_offsets: [0, 16] },
        a: { dtype: "F16", shape: [], data_offsets: [16, 18] },
        none: { dtype: "I64", shape: [0, 3], data_offsets: [24, 24] },
      },
      floats,
    );
    const tensors = readSafetensors(bytes);
    expect([...tensors.keys()]).toEqual(["b", "a", "none"]);
    expect(tensors.get("b")!.toArray()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(tensors.get("a")!.dtype).toBe("float16");
    expect(tensors.get("none")!.shape).toEqual([0, 3]);
    expect(looksLikeSafetensors(bytes)).toBe(true);
  });

  it.each<[string, Uint8Array, RegExp]>([
    [
      "cut off",
      file({ a: { dtype: "F32", shape: [6], data_offsets: [0, 24] } }, floats.slice(0, 20)),
      /bytes 0 to 24 of 20/,
    ],
    [
      "another size",
      file({ a: { dtype: "F32", shape: [5], data_offsets: [0, 24] } }, floats),
      /do not hold F32 of shape \[5\]/,
    ],
    ["turned offsets", file({ a: { dtype: "F32", shape: [0], data_offsets: [8, 4] } }, floats), /bytes 8 to 4/],
    [
      "a negative size",
      file({ a: { dtype: "F32", shape: [-1], data_offsets: [0, 4] } }, floats),
      /damaged entry for "a"/,
    ],
    ["an unknown dtype", file({ a: { dtype: "F4", shape: [1], data_offsets: [0, 4] } }, floats), /holds "a" as F4/],
    [
      "an inherited name as dtype",
      file({ a: { dtype: "toString", shape: [1], data_offsets: [0, 4] } }, floats),
      /as toString/,
    ],
    ["no JSON", file("{nonsense"), /damaged header/],
    ["a list as header", file([1]), /no JSON object/],
    ["a header longer than the file", file("{}").slice(0, 9), /bytes were expected/],
    ["an implausible header", Uint8Array.of(0, 0, 0, 0, 0, 1, 0, 0, 0x7b, 0x7d), /header of 1099511627776 bytes/],
  ])("refuses a file with %s", (_, bytes, message) => {
    expect(() => readSafetensors(bytes, "x.safetensors")).toThrow(FormatError);
    expect(() => readSafetensors(bytes, "x.safetensors")).toThrow(message);
  });
});
