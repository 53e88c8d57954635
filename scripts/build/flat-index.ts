import path from "node:path";
import { rollup } from "rollup";

/**
 * Writes `dist/index.node.js`: the root with its namespaces as plain objects, instead of a module for each.
 *
 * Node spends about a millisecond for every file, which nothing repays there: only bundlers take namespaces apart, and they are given
 * `dist/index.js`.
 */
export async function writeFlatIndex(dist: string, thin: readonly string[]): Promise<void> {
  const inlined = new Set(thin.map((file) => path.resolve(dist, file)));
  const index = path.resolve(dist, "index.js");
  const bundle = await rollup({
    input: index,
    external: (id, importer) =>
      importer !== undefined && !inlined.has(path.isAbsolute(id) ? id : path.resolve(path.dirname(importer), id)),
  });
  await bundle.write({ file: path.resolve(dist, "index.node.js"), format: "es" });
  await bundle.close();
}
