/** A module that the package offers by name: where its source is and which file of dist/ it becomes. */
export interface Entry {
  readonly name: string;
  readonly source: string;
  readonly output: string;
}

type Conditions = { readonly [condition: string]: string | Conditions };

interface PackageJson {
  readonly exports: Conditions;
  readonly imports: Conditions;
}

/** Lists the entry modules that package.json names in "exports" and "imports"; each target is listed once. */
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
  return [...entries.values()];
}
