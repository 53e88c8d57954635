import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  askToOverwrite,
  kindOf,
  listFiles,
  readBytes,
  writeAtomically,
  writeDirectoryAtomically,
} from "./files.node.js";
import { nameOfSource, readSource } from "./files.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const module = JSON.stringify(new URL("./files.node.ts", import.meta.url).href);

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "keras-ts-files-"));
  file = path.join(folder, "model.keras");
});
afterEach(() => fs.rm(folder, { recursive: true, force: true }));

/** Runs a module in a process of its own, under limits that bash sets first. */
function child(code: string, limits = "true") {
  const script = `import { writeAtomically } from ${module};\nconst file = ${JSON.stringify(file)};\n${code}`;
  const command = `${limits} && exec "$0" --import tsx --input-type=module -e "$1"`;
  return spawn("bash", ["-c", command, process.execPath, script], { cwd: path.resolve(import.meta.dirname, "../..") });
}

describe("writeAtomically", () => {
  it("writes all pieces in order and leaves nothing else", async () => {
    await writeAtomically(file, [bytes("one, "), bytes(""), bytes("two")]);
    expect(await fs.readFile(file, "utf8")).toBe("one, two");
    expect(await fs.readdir(folder)).toEqual(["model.keras"]);
  });
  it("replaces a file, keeping its permissions, and writes through symbolic links", async () => {
    await fs.writeFile(file, "old", { mode: 0o640 });
    await fs.symlink("model.keras", path.join(folder, "latest"));
    await writeAtomically(path.join(folder, "latest"), [bytes("new")]);
    expect(await fs.readFile(file, "utf8")).toBe("new");
    expect((await fs.stat(file)).mode & 0o777).toBe(0o640);
    expect((await fs.lstat(path.join(folder, "latest"))).isSymbolicLink()).toBe(true);
  });
  it("leaves the old file and no other when the pieces end in an error", async () => {
    await fs.writeFile(file, "old");
    const broken = function* () {
      yield bytes("half");
      throw new Error("out of memory");
    };
    await expect(writeAtomically(file, broken())).rejects.toThrow(
      `Could not write "${file}": out of memory. What was there before is unchanged.`,
    );
    expect(await fs.readFile(file, "utf8")).toBe("old");
    expect(await fs.readdir(folder)).toEqual(["model.keras"]);
  });
  it("does so when the system refuses to write on", async () => {
    await fs.writeFile(file, "old");
    const save = child(
      "await writeAtomically(file, Array.from({ length: 64 }, () => new Uint8Array(65536))).catch((error) => console.log(error.message));",
      "ulimit -f 1024",
    );
    let printed = "";
    save.stdout.on("data", (text) => (printed += text));
    await once(save, "close");
    expect(printed).toContain("the file would be larger than the system allows. What was there before is unchanged.");
    expect(await fs.readFile(file, "utf8")).toBe("old");
    expect(await fs.readdir(folder)).toEqual(["model.keras"]);
  });
  it("leaves the old file when the process is killed, and removes what that left at a later save", async () => {
    await fs.writeFile(file, "old");
    const save = child(
      `async function* forever() {
         for (;;) {
           yield new Uint8Array(65536);
           console.log("writing");
           await new Promise((next) => setTimeout(next, 10));
         }
       }
       await writeAtomically(file, forever());`,
    );
    await once(save.stdout, "data");
    save.kill("SIGKILL");
    await once(save, "close");
    expect(await fs.readFile(file, "utf8")).toBe("old");

    const [draft] = (await fs.readdir(folder)).filter((name) => name.endsWith(".tmp"));
    expect(draft).toMatch(/^\.model\.keras\./);
    await writeAtomically(file, [bytes("beside a save that may be running")]);
    expect(await fs.readdir(folder)).toContain(draft);
    const longAgo = new Date(Date.now() - 3_600_000);
    await fs.utimes(path.join(folder, draft!), longAgo, longAgo);
    await writeAtomically(file, [bytes("new")]);
    expect(await fs.readdir(folder)).toEqual(["model.keras"]);
  });
  it("says that the directory is missing", async () => {
    const place = path.join(folder, "none", "model.keras");
    await expect(writeAtomically(place, [])).rejects.toThrow(
      `Could not write "${place}": the directory does not exist.`,
    );
  });
});

describe("writeDirectoryAtomically", () => {
  it("replaces a directory as a whole", async () => {
    const place = path.join(folder, "model");
    await writeDirectoryAtomically(place, new Map([["old.txt", [bytes("1")]]]));
    await writeDirectoryAtomically(place, new Map([["a/new.txt", [bytes("2")]]]));
    expect(await listFiles(place)).toEqual(["a/new.txt"]);
    expect(await fs.readdir(folder)).toEqual(["model"]);
  });
  it("leaves the old directory when writing fails", async () => {
    const place = path.join(folder, "model");
    await writeDirectoryAtomically(place, new Map([["old.txt", [bytes("1")]]]));
    const broken = (function* (): Generator<Uint8Array> {
      throw new Error("no more");
    })();
    await expect(writeDirectoryAtomically(place, new Map([["new.txt", broken]]))).rejects.toThrow("no more");
    expect(await listFiles(place)).toEqual(["old.txt"]);
    expect(await fs.readdir(folder)).toEqual(["model"]);
  });
});

describe("reading", () => {
  it("takes paths, URLs and bytes", async () => {
    await fs.writeFile(file, "text");
    const blob = new Blob(["text"]);
    for (const source of [file, pathToFileURL(file), bytes("text"), bytes("text").buffer as ArrayBuffer, blob])
      expect(new TextDecoder().decode(await readSource(source))).toBe("text");
    expect(new TextDecoder().decode(await readSource("data:text/plain,text"))).toBe("text");
    expect(nameOfSource(blob, "bytes")).toBe("bytes");
    await expect(readSource(5 as never)).rejects.toThrow("Expected a path, a URL or bytes. Received: 5.");
  });
  it("does not copy bytes", async () => {
    const given = bytes("12345").subarray(1, 3);
    const read = await readSource(given);
    expect([read.buffer, read.byteOffset, read.length]).toEqual([given.buffer, 1, 2]);
  });
  it("tells files, directories and nothing apart", async () => {
    await fs.writeFile(file, "");
    expect([await kindOf(file), await kindOf(folder), await kindOf(path.join(file, "below"))]).toEqual([
      "file",
      "directory",
      null,
    ]);
    expect(await readBytes(file)).toHaveLength(0);
  });
  it("cannot ask without a terminal", async () => {
    if (process.stdin.isTTY) return;
    await expect(askToOverwrite("x.keras")).rejects.toThrow('"x.keras" already exists and `overwrite` is false.');
  });
});
