import fs from "node:fs/promises";
import path from "node:path";
import type { OutputChunk } from "rollup";
import { replaceImported, withoutIndentation } from "./lazy-names.js";
import { type Chunk, readChunk } from "./read-chunk.js";

/** Chunks whose names begin with this are loaded at their first use. */
export const partPrefix = "part-";

/**
 * Writes the copy of the package that Node runs, from chunks of which those called `part-*` are loaded when something in them is first
 * used. V8 reads and compiles whatever it is given, and a program uses few of the layers, losses and metrics there are.
 *
 * Parts are CommonJS, since nothing else can be loaded in the middle of a call. Each is a function that makes its values from those of
 * keras.js, so that everything exists once; `require` stands in a file of its own with constant names, which bundlers follow.
 */
export async function writeNodeCopy(folder: string, output: readonly OutputChunk[]): Promise<void> {
  const { code: coreCode } = output.find(({ fileName }) => fileName === "keras.js")!;
  const { changing } = readChunk("keras.js", coreCode);
  const chunks = output.map(({ fileName, code }) => {
    const isLazy = partOf(fileName) !== null || fileName === "keras.js";
    const lazy = isLazy ? replaceImported(fileName, code, (from, theirs) => lateName(from, theirs, changing)) : code;
    return readChunk(fileName, withoutIndentation(fileName, lazy));
  });
  const parts = chunks.flatMap(({ name }) => partOf(name) ?? []);
  for (const chunk of chunks) {
    const part = partOf(chunk.name);
    const target = path.join(folder, part === null ? chunk.name : `${part}.part.cjs`);
    await fs.mkdir(path.dirname(target), { recursive: true });
    await fs.writeFile(
      target,
      part !== null
        ? writePart(chunk, changing)
        : chunk.name === "keras.js"
          ? writeCore(chunk, parts)
          : chunk.name === "index.js"
            ? writeIndex(chunk, chunks)
            : writeOther(chunk),
    );
  }
  const requires = parts.map((part) => `exports.${part} = () => require("./${part}.part.cjs");\n`);
  await fs.writeFile(path.join(folder, "parts.cjs"), requires.join(""));
}

/** "metrics" for "./part-metrics.js"; null for what is no part. */
function partOf(file: string): string | null {
  const { name } = path.posix.parse(file);
  return name.startsWith(partPrefix) ? name.slice(partPrefix.length).replace(/\W/g, "_") : null;
}
/** What the core and parts say for a name that is not theirs yet when they are loaded; null for those of the core that are and stay. */
function lateName(from: string, theirs: string, changing: ReadonlySet<string>): string | null {
  const part = partOf(from);
  if (part !== null) return `$${part}().${theirs}`;
  return from === "./keras.js" && changing.has(theirs) ? `$core.${theirs}` : null;
}
const isPart = ({ from }: { readonly from: string }): boolean => partOf(from) !== null;

/** keras.js: parts get its own namespace, and are asked for their values where these are used. */
function writeCore({ imports, exports, reexports, body, name }: Chunk, parts: readonly string[]): string {
  if (reexports.length > 0) throw new Error(`${name} must not re-export: ${reexports[0]!.text}`);
  const lines = [
    `import $load from "./parts.cjs";`,
    `import * as $self from "./${name}";`,
    ...imports.filter((each) => !isPart(each)).map(({ text }) => text),
    ...parts.map((part) => `let $$${part};\nconst $${part} = () => ($$${part} ??= $load.${part}()($self, $parts));`),
    `const $parts = { ${parts.map((part) => `${part}: $${part}`).join(", ")} };`,
    body,
    `export { ${[...exports.map(({ ours, theirs }) => `${ours} as ${theirs}`), "$parts"].join(", ")} };`,
  ];
  return lines.join("\n");
}

function writePart({ imports, exports, reexports, body, acts, name }: Chunk, changing: ReadonlySet<string>): string {
  if (acts.length > 0) throw new Error(`${name} would act late, when it is first used: ${acts[0]!.slice(0, 100)}`);
  const own = imports.filter((each) => !isPart(each));
  const strange = [...own.filter(({ from }) => from !== "./keras.js"), ...reexports];
  if (strange.length > 0) throw new Error(`${name} can only import from keras.js and parts: ${strange[0]!.text}`);
  const names = own.flatMap((each) => each.names);
  const fixed = names.filter(({ theirs }) => !changing.has(theirs)).map(({ theirs, ours }) => `${theirs}: ${ours}`);
  const used = [...new Set(imports.flatMap(({ from }) => partOf(from) ?? []))];
  const lines = [
    `"use strict";`,
    // The parentheses have V8 compile the function at once, as it is called at once.
    `module.exports = (function ($core, { ${used.map((part) => `${part}: $${part}`).join(", ")} }) {`,
    `const { ${fixed.join(", ")} } = $core;`,
    body,
    `return { ${exports.map(({ ours, theirs }) => `${theirs}: ${ours}`).join(", ")} };`,
    `});`,
  ];
  return lines.join("\n");
}

/** Any other file takes what it needs of parts as it is loaded. */
function writeOther({ imports, exports, reexports, body, name }: Chunk): string {
  const taken = new Map<string, string>();
  const take = (from: string, theirs: string, ours: string): void => {
    const part = partOf(from)!;
    taken.set(part, `${taken.get(part) ?? ""}${theirs}: ${ours}, `);
  };
  for (const { from, names } of imports.filter(isPart)) for (const each of names) take(from, each.theirs, each.ours);
  const passed: string[] = [];
  for (const { from, names } of reexports.filter(isPart))
    for (const { theirs, ours } of names) {
      const local = `$${passed.length}`;
      take(from, theirs, local);
      passed.push(`${local} as ${ours}`);
    }
  const exported = [...exports.map(({ ours, theirs }) => `${ours} as ${theirs}`), ...passed];
  return [
    ...[...imports, ...reexports].filter((each) => !isPart(each)).map(({ text }) => text),
    taken.size > 0 ? `import { $parts } from "${pathFrom(name, "keras.js")}";` : "",
    ...[...taken].map(([part, names]) => `const { ${names} } = $parts.${part}();`),
    body,
    exported.length > 0 ? `export { ${exported.join(", ")} };` : "",
  ].join("\n");
}

/** The root: its namespaces are plain objects, whose properties ask a part for their value. */
function writeIndex(index: Chunk, chunks: readonly Chunk[]): string {
  if (index.exports.length > 0 || index.reexports.some(isPart)) {
    throw new Error(`index.js can only export what keras.js has: ${index.reexports.find(isPart)?.text ?? index.body}`);
  }
  const imports: string[] = [];
  const spaces = index.namespaces.map(({ from, ours }) => {
    const chunk = chunks.find(({ name }) => name === path.posix.normalize(from));
    if (!chunk || chunk.namespaces.length > 0) throw new Error(`index.js cannot re-export ${from}.`);
    const sources = [
      ...chunk.reexports,
      { from, names: chunk.exports.map(({ theirs }) => ({ theirs, ours: theirs })) },
    ];
    const members = sources.flatMap(({ from: file, names }) =>
      names.map(({ theirs, ours: key }): [string, string] => {
        const part = partOf(file);
        if (part !== null) return [key, `get ${key}() { return $parts.${part}().${theirs}; }`];
        if (file === "./keras.js") return [key, `${key}: $keras.${theirs}`];
        const local = `$${imports.length}`;
        imports.push(`import { ${theirs} as ${local} } from "${file}";`);
        return [key, `${key}: ${local}`];
      }),
    );
    // As in a module's namespace.
    const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
    return { ours, text: `const $${ours} = Object.freeze({ __proto__: null, ${sorted.join(",\n")} });` };
  });
  return [
    ...[...index.imports, ...index.reexports].filter((each) => !isPart(each)).map(({ text }) => text),
    `import * as $keras from "./keras.js";`,
    `const { $parts } = $keras;`,
    ...imports,
    ...spaces.map(({ text }) => text),
    `export { ${spaces.map(({ ours }) => `$${ours} as ${ours}`).join(", ")} };`,
  ].join("\n");
}

const pathFrom = (file: string, other: string): string => {
  const relative = path.posix.relative(path.posix.dirname(file), other);
  return relative.startsWith(".") ? relative : `./${relative}`;
};
