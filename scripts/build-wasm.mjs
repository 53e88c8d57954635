// Compiles native/wasm into src/backend/numpy/wasm/module.generated.ts: both variants as base64, and the opcodes of the chain interpreter.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashOfSources, source } from "./wasm-sources.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const target = join(root, "src/backend/numpy/wasm/module.generated.ts");
const compiler = join(dirname(createRequire(import.meta.url).resolve("assemblyscript/package.json")), "bin/asc.js");

const flags = [
  ...["--config", "none", "--runtime", "stub", "--use", "abort=", "--noAssert", "-O3", "--converge"],
  ...["--importMemory", "--sharedMemory", "--initialMemory", "2", "--maximumMemory", "65536"],
  // Constants lie below 1024, where programs compiled by Emscripten keep nothing: the kernels can work in their memory too.
  ...["--memoryBase", "64"],
  ...["simd", "threads", "bulk-memory", "nontrapping-f2i"].flatMap((feature) => ["--enable", feature]),
];

/**
 * Copies the sources, turning vector literals into loads from one table: V8 builds a literal anew in every turn of a loop, with several
 * instructions, where a splatting load is one.
 */
function prepare(target) {
  const tables = { f32: [], f64: [], i32: [], i64: [] };
  const load = (type, value) => {
    const table = tables[type];
    let at = table.indexOf(value);
    if (at < 0) at = table.push(value) - 1;
    const wide = type.endsWith("64");
    return `v128.load${wide ? 64 : 32}_splat(constants.${type.toUpperCase()}, ${at * (wide ? 8 : 4)})`;
  };
  const number = "(-?(?:0x[0-9a-f]+|[0-9][0-9.e-]*|Infinity|NaN))";
  for (const name of readdirSync(source)) {
    let text = readFileSync(join(source, name), "utf8");
    if (["math.ts", "chain-values.ts"].includes(name)) {
      const replace = (pattern, type) => {
        const literal = new RegExp(`(?<![.\\w])${pattern}\\(${number}\\)`, "gi");
        text = text.replace(literal, (whole, value) => (Number(value) === 0 ? whole : load(type, value)));
      };
      replace("c", "f32");
      replace("d", "f64");
      replace("i32x4\\.splat", "i32");
      replace("i64x2\\.splat", "i64");
      text += '\nimport * as constants from "./constants";\n';
    }
    writeFileSync(join(target, name), text);
  }
  const lines = Object.entries(tables).map(
    ([type, values]) => `export const ${type.toUpperCase()} = memory.data<${type}>([${values.join(", ")}], 16);`,
  );
  writeFileSync(join(target, "constants.ts"), lines.join("\n"));
}

const work = mkdtempSync(join(tmpdir(), "kernels-"));
try {
  prepare(work);
  const compile = (name, extra) => {
    const out = join(work, `${name}.wasm`);
    const args = [compiler, join(work, "index.ts"), ...flags, ...extra, "-o", out];
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
      `// Sources: ${hashOfSources()}`,
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
