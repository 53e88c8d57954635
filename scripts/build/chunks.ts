/** What is known of a module when chunks are made. */
export interface ModuleGraph {
  /** Undefined for what is not bundled. */
  importedIdsOf(id: string): readonly string[] | undefined;
}

/**
 * Decides which file of dist/ a module becomes part of; undefined leaves it to the bundler.
 *
 * Node spends its start-up time per file, so everything that a public module may need at once is in one, keras.js, and classes exist
 * once. Modules that act on import stay out of it, since a bundler could not drop what they act on. What is reached by dynamic import
 * only comes apart by what it is for.
 */
export function chunkPlan(
  { entries, engines }: { readonly entries: readonly string[]; readonly engines: readonly string[] },
  isEffectful: (id: string) => boolean,
  graph: ModuleGraph,
): (id: string) => string | undefined {
  const shared = new Set<string>();
  const visit = (id: string): void => {
    const imported = graph.importedIdsOf(id);
    if (!imported || shared.has(id)) return;
    shared.add(id);
    imported.forEach(visit);
  };
  entries.forEach(visit);
  return (id) => {
    if (entries.includes(id) || engines.includes(id)) return undefined;
    if (isEffectful(id)) return nameOf(id);
    if (shared.has(id)) return "keras";
    return /[\\/]src[\\/](saving|formats)[\\/]/.test(id) ? "files" : undefined;
  };
}

/** "ops-operators" for src/ops/operators.ts. */
function nameOf(id: string): string {
  const [, inside = ""] = /[\\/]src[\\/](.*)\.ts$/.exec(id) ?? [];
  return inside.replace(/[\\/]/g, "-");
}
