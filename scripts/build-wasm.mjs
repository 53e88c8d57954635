// Compiles native/wasm into src/backend/numpy/wasm/module.generated.ts: both variants as base64, and the opcodes of the chain interpreter.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const source = join(root, "native/wasm");
const target = join(root, "src/backend/numpy/wasm/module.generated.ts");
const compiler = join(dirname(createRequire(import.meta.url).resolve("assemblyscript/package.json")), "bin/asc.js");

const flags = [
  ...["--config", "none", "--runtime", "stub", "--use", "abort=", "--noAssert", "-O3", "--converge"],
  ...["--importMemory", "--sharedMemory", "--initialMemory", "2", "--maximumMemory", "65536"],
  ...["simd", "threads", "bulk-memory", "nontrapping-f2i"].flatMap((feature) => ["--enable", feature]),
];

const work = mkdtempSync(join(tmpdir(), "kernels-"));
try {
  const compile = (name, extra) => {
    const out = join(work, `${name}.wasm`);
    const args = [compiler, join(source, "index.ts"), ...flags, ...extra, "-o", out];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`The ${name} kernels do not compile:\n${stdout}${stderr}`);
    const bytes = readFileSync(out);
    console.log(`${name}: ${bytes.length} bytes`);
    return bytes.toString("base64");
  };
  const plain = compile("plain", []);
  const fma = compile("fma", ["--enable", "relaxed-simd"]);
  const opcodes = readFileSync(join(source, "opcodes.ts"), "utf8").matchAll(/^export const (\w+): i32 = (\d+);/gm);
  writeFileSync(
    target,
    [
      "// Written by scripts/build-wasm.mjs from native/wasm. Do not edit.",
      "",
      "/** Opcodes of the chain interpreter. */",
      "export const OPCODE = {",
      ...Array.from(opcodes, ([, name, code]) => `  ${name}: ${code},`),
      "} as const;",
      "",
      "/** The kernels with plain SIMD, base64. */",
      `export const PLAIN =\n  "${plain}";`,
      "",
      "/** The kernels with fused multiply-add (relaxed SIMD), base64. */",
      `export const FMA =\n  "${fma}";`,
      "",
    ].join("\n"),
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}
