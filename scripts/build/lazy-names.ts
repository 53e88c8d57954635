import ts from "typescript";

/**
 * Puts expressions in place of imported names, wherever a JavaScript module uses them: `instead` gives the one for a name of a file, or
 * null for names to leave alone. The imports stay. Other names stay as they are, since classes show theirs.
 */
export function replaceImported(
  fileName: string,
  code: string,
  instead: (from: string, theirs: string) => string | null,
): string {
  const { file, checker } = check(fileName, code);
  const replacements = new Map<ts.Node, string>();
  const names = new Set<string>();
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    for (const specifier of bindings.elements) {
      const from = (statement.moduleSpecifier as ts.StringLiteral).text;
      const by = instead(from, (specifier.propertyName ?? specifier.name).text);
      if (by === null) continue;
      replacements.set(specifier, by);
      names.add(specifier.name.text);
    }
  }
  if (names.size === 0) return code;

  const edits: { readonly from: number; readonly to: number; readonly by: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node) && names.has(node.text)) {
      const shorthand = ts.isShorthandPropertyAssignment(node.parent);
      const symbol = shorthand
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : ts.isExportSpecifier(node.parent)
          ? checker.getExportSpecifierLocalTargetSymbol(node.parent)
          : checker.getSymbolAtLocation(node);
      const by = symbol?.declarations?.map((declaration) => replacements.get(declaration)).find(Boolean);
      if (by === undefined) return;
      if (ts.isExportSpecifier(node.parent)) throw new Error(`${fileName} exports ${node.text}, which it imports.`);
      const isMade = ts.isNewExpression(node.parent) && node.parent.expression === node;
      const text = shorthand ? `${node.text}: ${by}` : isMade ? `(${by})` : by;
      edits.push({ from: node.getStart(file), to: node.end, by: text });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return apply(code, edits);
}

/** Removes the indentation of lines, which machines do not need to read. */
export function withoutIndentation(fileName: string, code: string): string {
  const file = ts.createSourceFile(fileName, code, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  const texts: (readonly [from: number, to: number])[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateLiteralToken(node)) texts.push([node.pos, node.end]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  let next = 0;
  return code.replace(/\n[ \t]+/g, (space, at: number) => {
    while (next < texts.length && texts[next]![1] <= at) next++;
    return next < texts.length && texts[next]![0] <= at ? space : "\n";
  });
}

function check(fileName: string, code: string): { readonly file: ts.SourceFile; readonly checker: ts.TypeChecker } {
  const file = ts.createSourceFile(fileName, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const host: ts.CompilerHost = {
    getSourceFile: (name) => (name === fileName ? file : undefined),
    getDefaultLibFileName: () => "",
    writeFile: () => undefined,
    getCurrentDirectory: () => "",
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    fileExists: (name) => name === fileName,
    readFile: () => undefined,
  };
  const options: ts.CompilerOptions = { allowJs: true, noLib: true, noResolve: true, target: ts.ScriptTarget.Latest };
  return { file, checker: ts.createProgram([fileName], options, host).getTypeChecker() };
}

function apply(
  code: string,
  edits: readonly { readonly from: number; readonly to: number; readonly by: string }[],
): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to, by } of [...edits].sort((a, b) => a.from - b.from)) {
    pieces.push(code.slice(at, from), by);
    at = to;
  }
  return [...pieces, code.slice(at)].join("");
}
