import ts from "typescript";

/** A name in another file and the name it has here, or the other way round in exports. */
export interface Binding {
  readonly theirs: string;
  readonly ours: string;
}
export interface Source {
  readonly from: string;
  readonly names: readonly Binding[];
  /** The statement. */
  readonly text: string;
}

/** A file that Rollup wrote, taken apart. */
export interface Chunk {
  /** Its path in the output, "backend/numpy.js" for example. */
  readonly name: string;
  /** `import { theirs as ours } from`; without names where it is only run. */
  readonly imports: readonly Source[];
  /** `export { ours as theirs }`. */
  readonly exports: readonly Binding[];
  /** `export { theirs as ours } from`. */
  readonly reexports: readonly Source[];
  /** `export * as ours from`. */
  readonly namespaces: readonly { readonly from: string; readonly ours: string }[];
  /** Everything between imports and exports. */
  readonly body: string;
  /** Statements that declare nothing. */
  readonly acts: readonly string[];
  /** Names under which variables are exported that change. */
  readonly changing: ReadonlySet<string>;
}

/** Takes a file of Rollup's output apart. Throws for statements that Rollup does not write. */
export function readChunk(name: string, code: string): Chunk {
  const file = ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const imports: Source[] = [];
  const reexports: Source[] = [];
  const exports: Binding[] = [];
  const spaces = new Map<string, string>();
  const variables = new Set<string>();
  const acts: string[] = [];
  let body = "";
  for (const statement of file.statements) {
    const text = statement.getText(file);
    if (ts.isImportDeclaration(statement)) {
      const from = textOf(statement.moduleSpecifier);
      const { name: main, namedBindings } = statement.importClause ?? {};
      if (namedBindings && ts.isNamespaceImport(namedBindings)) spaces.set(namedBindings.name.text, from);
      else {
        const named = namedBindings?.elements.map((each) => ({ theirs: theirName(each), ours: each.name.text })) ?? [];
        imports.push({ from, names: main ? [{ theirs: "default", ours: main.text }, ...named] : named, text });
      }
    } else if (ts.isExportDeclaration(statement)) {
      const { exportClause, moduleSpecifier } = statement;
      if (!exportClause || !ts.isNamedExports(exportClause)) throw new Error(`${name}: unexpected statement: ${text}`);
      if (moduleSpecifier) {
        const names = exportClause.elements.map((each) => ({ theirs: theirName(each), ours: each.name.text }));
        reexports.push({ from: textOf(moduleSpecifier), names, text });
      } else {
        exports.push(...exportClause.elements.map((each) => ({ ours: theirName(each), theirs: each.name.text })));
      }
    } else {
      if (ts.isExportAssignment(statement) || isExported(statement)) {
        throw new Error(`${name}: unexpected statement: ${text}`);
      }
      body += statement.getFullText(file);
      if (!isDeclaration(statement)) acts.push(text);
      if (!ts.isVariableStatement(statement) || !(statement.declarationList.flags & ts.NodeFlags.Let)) continue;
      for (const each of statement.declarationList.declarations) variables.add(each.name.getText(file));
    }
  }
  return {
    name,
    imports,
    exports: exports.filter(({ ours }) => !spaces.has(ours)),
    reexports,
    namespaces: exports.flatMap(({ ours, theirs }) =>
      spaces.has(ours) ? [{ from: spaces.get(ours)!, ours: theirs }] : [],
    ),
    body,
    acts,
    changing: new Set(exports.flatMap(({ ours, theirs }) => (variables.has(ours) ? [theirs] : []))),
  };
}

const isExported = (node: ts.Statement): boolean =>
  ts.canHaveModifiers(node) && (node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false);
const isDeclaration = (node: ts.Statement): boolean =>
  ts.isVariableStatement(node) || ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node);
const textOf = (node: ts.Expression): string => (node as ts.StringLiteral).text;
const theirName = ({ propertyName, name }: ts.ImportSpecifier | ts.ExportSpecifier): string =>
  (propertyName ?? name).text;
