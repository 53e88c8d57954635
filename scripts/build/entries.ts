import path from "node:path";
import type { Plugin } from "rollup";

/** A module or command that the package offers by name: where its source is and which file of dist/ it becomes. */
export interface Entry {
  readonly name: string;
  readonly source: string;
  readonly output: string;
}

type Conditions = { readonly [condition: string]: string | Conditions };

interface PackageJson {
  readonly exports: Conditions;
  readonly imports: Conditions;
  readonly bin?: Readonly<Record<string, string>>;
}

/** Lists the entry modules that package.json names in "exports", "imports" and "bin"; each target is listed once. */
export function entriesOf(packageJson: PackageJson): Entry[] {
  const entries = new Map<string, Entry>();
  const visit = (name: string, node: string | Conditions): void => {
    if (typeof node === "string") return;
    const { source, default: output } = node;
    if (typeof source === "string" && typeof output === "string") entries.set(output, { name, source, output });
    for (const value of Object.values(node)) visit(name, value);
  };
  for (const [name, node] of [...Object.entries(packageJson.exports), ...Object.entries(packageJson.imports)]) {
    visit(name, node);
  }
  for (const [name, output] of Object.entries(packageJson.bin ?? {})) {
    entries.set(output, { name, source: output.replace("./dist/", "./src/").replace(/\.js$/, ".ts"), output });
  }
  return [...entries.values()];
}

/** Tells which modules of src/ act when they are imported, as "sideEffects" of package.json lists them. */
export function effectfulModules(root: string, patterns: readonly string[]): (id: string) => boolean {
  const files = patterns.map((pattern) => {
    const escaped = path.resolve(root, pattern).replace(/[.+^${}()|[\]\\]/g, "\\$&");
    return escaped.replace(/\*+\/?/g, (stars) => (stars.startsWith("**") ? ".*" : "[^/]*"));
  });
  const known = new RegExp(`^(${files.join("|")})$`);
  return (id) => known.test(id);
}

/**
 * Lets the package's root re-export the other entries by their built files: `export * as layers from "./layers.js"`.
 *
 * Bundled into it, each namespace would become an object filled at run time, which no bundler can take apart.
 */
export function linkEntries(root: string, entries: readonly Entry[]): Plugin {
  const outputs = new Map(entries.map(({ source, output }) => [path.resolve(root, source), output]));
  const index = path.resolve(root, "src/index.ts");
  return {
    name: "link-entries",
    resolveId(specifier, importer) {
      if (importer !== index) return null;
      const output = outputs.get(path.resolve(path.dirname(index), specifier.replace(/\.js$/, ".ts")));
      return output === undefined ? null : { id: `./${path.posix.relative("dist", output)}`, external: true };
    },
  };
}
