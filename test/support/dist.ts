import fs from "node:fs";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "../..");

/** Says why dist/ cannot be tested: not built, or older than the sources; null when it is up to date. */
export function distProblem(): string | null {
  const built = path.join(root, "dist", "index.js");
  if (!fs.existsSync(built)) return "needs dist/: npm run build";
  const sources = ["package.json", ...files("src").filter((file) => !/\.test(-d)?\.ts$/.test(file))];
  const newest = Math.max(...sources.map((file) => fs.statSync(path.join(root, file)).mtimeMs));
  return newest > fs.statSync(built).mtimeMs ? "needs an up-to-date dist/ (src/ is newer): npm run build" : null;
}

/** Paths of the files below a folder of the repository, relative to its root. */
export function files(folder: string): string[] {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
}
