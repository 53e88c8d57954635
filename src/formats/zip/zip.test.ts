import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { crc32 } from "../crc32.js";
import { FormatError } from "../format-error.js";
import { openZip, pathProblem, writeZip } from "./index.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const join = (chunks: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(chunks));

/** An archive laid out by hand, where every field can be made wrong. */
interface Entry {
  name: string | Uint8Array;
  data: Uint8Array;
  localName?: string;
  method?: number;
  flags?: number;
  crc?: number;
  size?: number;
  compressedSize?: number;
  offset?: number;
}

function archive(entries: readonly Entry[], { comment = "", count = entries.length, disk = 0 } = {}): Uint8Array {
  const u16 = (n: number): number[] => [n & 255, (n >> 8) & 255];
  const u32 = (n: number): number[] => [...u16(n & 0xffff), ...u16(n >>> 16)];
  const out: number[] = [];
  const directory: number[] = [];
  for (const { name, data, method = 0, flags = 0, crc = crc32(data), ...entry } of entries) {
    const at = entry.offset ?? out.length;
    const encoded = typeof name === "string" ? bytes(name) : name;
    const local = bytes(entry.localName ?? (typeof name === "string" ? name : "x"));
    const size = entry.size ?? data.length;
    const sizes = [...u32(crc), ...u32(entry.compressedSize ?? data.length), ...u32(size)];
    const common = [...u16(20), ...u16(flags), ...u16(method), ...u32(0), ...sizes];
    out.push(...u32(0x04034b50), ...common, ...u16(local.length), ...u16(0), ...local, ...data);
    directory.push(...u32(0x02014b50), ...u16(20), ...common, ...u16(encoded.length), ...u16(0), ...u16(0));
    directory.push(...u16(0), ...u16(0), ...u32(0), ...u32(at), ...encoded);
  }
  const counts = [...u16(disk), ...u16(0), ...u16(count), ...u16(count)];
  const end = [...u32(0x06054b50), ...counts, ...u32(directory.length), ...u32(out.length), ...u16(comment.length)];
  return Uint8Array.from([...out, ...directory, ...end, ...bytes(comment)]);
}

describe("writeZip", () => {
  it.each([false, true])("is read back by openZip (zip64: %s)", async (zip64) => {
    const members = [
      { name: "a.txt", data: bytes("hello") },
      { name: "ordner/größe", data: [bytes("in "), bytes("parts"), new Uint8Array(0)] },
      { name: "empty", data: new Uint8Array(0) },
    ];
    const zip = openZip(join(writeZip(members, { zip64 })));
    expect(zip.names).toEqual(["a.txt", "ordner/größe", "empty"]);
    expect(await zip.read("a.txt")).toEqual(bytes("hello"));
    expect(await zip.read("ordner/größe")).toEqual(bytes("in parts"));
    expect(await zip.read("empty")).toEqual(new Uint8Array(0));
  });

  it("passes members through uncopied and places them at multiples of 64", () => {
    const data = new Uint8Array(100);
    let position = 0;
    for (let length = 1; length < 70; length++) {
      position = 0;
      for (const chunk of writeZip([
        { name: "n".repeat(length), data: bytes("x") },
        { name: "second", data },
      ])) {
        if (chunk === data) break;
        position += chunk.length;
      }
      expect(position % 64).toBe(0);
    }
    expect(position).toBeGreaterThan(0);
  });

  it("gives equal bytes for equal members whenever it runs", () => {
    expect(join(writeZip([{ name: "a", data: bytes("x") }]))).toEqual(
      join(writeZip([{ name: "a", data: bytes("x") }])),
    );
  });

  it("holds more members than 16 bits count", () => {
    const members = Array.from({ length: 70_000 }, (_, i) => ({ name: String(i), data: new Uint8Array(0) }));
    expect(openZip(join(writeZip(members))).entries.size).toBe(70_000);
  });

  it("refuses unsafe and repeated names", () => {
    expect(() => writeZip([{ name: "../x", data: bytes("") }])).toThrow('leaves the archive through ".."');
    expect(() => writeZip([{ name: "x", data: bytes("") }, { name: "x", data: bytes("") }])).toThrow('"x" is used twice'); // prettier-ignore
  });
});

describe("openZip", () => {
  const text = bytes("some text ".repeat(50));
  const packed = new Uint8Array(deflateRawSync(text));

  it("reads stored members in place and deflated ones expanded", async () => {
    const file = archive([
      { name: "stored", data: text },
      { name: "deflated", data: packed, method: 8, crc: crc32(text), size: text.length },
      { name: "folder/", data: new Uint8Array(0) },
    ]);
    const zip = openZip(file);
    const stored = await zip.read("stored");
    expect(stored).toEqual(text);
    expect(stored.buffer).toBe(file.buffer);
    expect(await zip.read("deflated")).toEqual(text);
    expect(zip.has("folder/")).toBe(true);
    expect(zip.entries.get("deflated")).toMatchObject({ method: "deflated", size: 500, compressedSize: packed.length });
  });

  it("is not misled by a comment that looks like an end record", async () => {
    const zip = openZip(archive([{ name: "a", data: text }], { comment: `PK\x05\x06${"\0".repeat(18)} and more` }));
    expect(await zip.read("a")).toEqual(text);
  });

  const bomb = { name: "a", data: packed, method: 8, crc: 0 };
  it.each<[string, Uint8Array, string]>([
    ["an encrypted member", archive([{ name: "a", data: text, flags: 1 }]), "w.zip: a: is encrypted"],
    ["another method", archive([{ name: "a", data: text, method: 14 }]), "w.zip: a: is compressed by method 14"],
    ["different stored sizes", archive([{ name: "a", data: text, size: 501 }]), "declares 501 bytes and holds 500"],
    ["a repeated name", archive([{ name: "a", data: text }, { name: "a", data: text }]), '"a" twice'], // prettier-ignore
    ["an absolute path", archive([{ name: "/etc/x", data: text }]), '"/etc/x" is an absolute path'],
    ["a drive letter", archive([{ name: "C:x", data: text }]), "drive letter"],
    ["a path upwards", archive([{ name: "a/../../x", data: text }]), 'leaves the archive through ".."'],
    ["a backslash", archive([{ name: "a\\x", data: text }]), "backslash"],
    ["a NUL", archive([{ name: "a\0x", data: text }]), "NUL"],
    ["an empty name", archive([{ name: "", data: text }]), "is empty"],
    ["a name that is not UTF-8", archive([{ name: Uint8Array.of(0xff), data: text }]), "not UTF-8"],
    ["an impossible size", archive([{ ...bomb, size: 2 ** 31 }]), "decompression bomb"],
    ["shared bytes", archive([{ name: "a", data: text }, { name: "b", data: text, offset: 0 }]), "w.zip: a: reaches into"], // prettier-ignore
    ["a member behind the end", archive([{ name: "a", data: text, offset: 5000 }]), "w.zip: a: reaches into"],
    ["too few members", archive([{ name: "a", data: text }], { count: 100 }), "too short for 100 members"],
    ["several disks", archive([{ name: "a", data: text }], { disk: 1 }), "split over several files"],
    ["no archive", text, "w.zip: is not a zip archive, or its end is cut off"],
    ["nothing", new Uint8Array(0), "w.zip: is not a zip archive"],
  ])("refuses %s", (_what, file, message) => {
    expect(() => openZip(file, { source: "w.zip" })).toThrow(FormatError);
    expect(() => openZip(file, { source: "w.zip" })).toThrow(message);
  });

  it("limits expansion to a hundredfold past the given size", () => {
    const zeros = new Uint8Array(2 ** 20);
    const data = new Uint8Array(deflateRawSync(zeros));
    const file = archive([{ name: "zeros", data, method: 8, crc: crc32(zeros), size: zeros.length }]);
    expect(openZip(file, { expansionFloor: 2 ** 20 }).has("zeros")).toBe(true);
    expect(() => openZip(file, { expansionFloor: 2 ** 20 - 1 })).toThrow("decompression bomb");
  });

  it.each<[string, Entry, string]>([
    ["a wrong checksum", { name: "a", data: text, crc: 1 }, "w.zip: a: is damaged: its checksum (CRC-32)"],
    ["another name in front of the bytes", { name: "a", data: text, localName: "b" }, "disagree about its name"],
    [
      "a deflated member that is not",
      { name: "a", data: text, method: 8 },
      "w.zip: a: the compressed bytes are damaged",
    ],
    ["a wrong size", { name: "a", data: packed, method: 8, crc: crc32(text), size: 499 }, "w.zip: a: expands to more"],
    ["no member where one should begin", { name: "a", data: text, offset: 1 }, "no member begins at 1"],
  ])("refuses to read %s", async (_what, entry, message) => {
    // A second member leaves room for wrong offsets.
    const zip = openZip(archive([entry, { name: "zz", data: text }]), { source: "w.zip" });
    await expect(zip.read("a")).rejects.toThrow(FormatError);
    await expect(zip.read("a")).rejects.toThrow(message);
  });

  it("lists the members when one is missing", async () => {
    const zip = openZip(archive([{ name: "a", data: text }, { name: "b", data: text }]), { source: "w.zip" }); // prettier-ignore
    await expect(zip.read("c")).rejects.toThrow('w.zip: has no member "c". Members: a, b');
  });
});

it("accepts ordinary paths", () => {
  for (const name of ["a", "assets/x/y.txt", "..a/b..", "größe", "dir/"]) expect(pathProblem(name)).toBeNull();
});
