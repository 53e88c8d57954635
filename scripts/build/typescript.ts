import fs from "node:fs/promises";
import path from "node:path";
import { transform } from "esbuild";
import type { Plugin } from "rollup";
import { makeDroppable } from "./droppable.js";
import { markPure } from "./pure.js";
import { foldRegistrations } from "./registrations.js";

const helpers = "\0using";

/** Reads modules of src/ as JavaScript for Node 20 and browsers, with their top level made droppable. */
export function typescript(): Plugin {
  const compilerOptions = { verbatimModuleSyntax: true, useDefineForClassFields: true };
  const javascript = async (text: string): Promise<string> =>
    (await transform(text, { loader: "ts", target: "es2022", charset: "ascii", tsconfigRaw: { compilerOptions } }))
      .code;
  // esbuild gives each file its own copy of the functions that stand for `using`; here they are a module.
  const definitions = javascript("using x = null;").then((code) => code.slice(0, code.indexOf("var _stack")));

  return {
    name: "typescript",
    resolveId(specifier, importer) {
      if (specifier === helpers) return helpers;
      if (!importer || !specifier.startsWith(".")) return null;
      return path.resolve(path.dirname(importer), specifier.replace(/\.js$/, ".ts"));
    },
    async load(id) {
      if (id === helpers) return `${await definitions}\nexport { __using, __callDispose };`;
      const code = makeDroppable(await javascript(foldRegistrations(markPure(await fs.readFile(id, "utf8")))));
      if (!code.startsWith(await definitions)) return { code, map: null };
      const rest = code.slice((await definitions).length);
      return { code: `import { __using, __callDispose } from ${JSON.stringify(helpers)};\n${rest}`, map: null };
    },
  };
}
