import ts from "typescript";

/**
 * Puts a pure annotation before every call that runs when the module is evaluated, inside a declaration, so that bundlers drop the
 * classes and ops a program does not use.
 *
 * `const add = defineOp(...)` and `class Dense extends configure(...)` look effectful to a bundler. In this project a top-level
 * initialiser only makes a value; what acts on import is a statement.
 */
export function markPure(text: string): string {
  const file = ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const positions: number[] = [];
  const visit = (node: ts.Node): void => {
    if (!runsAtTopLevel(node)) return;
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) positions.push(node.getStart(file));
    ts.forEachChild(node, visit);
  };
  for (const statement of file.statements) {
    if (ts.isVariableStatement(statement) || ts.isClassDeclaration(statement)) visit(statement);
  }
  let marked = text;
  for (const position of [...new Set(positions)].sort((a, b) => b - a)) {
    marked = `${marked.slice(0, position)}/* @__PURE__ */ ${marked.slice(position)}`;
  }
  return marked;
}

function runsAtTopLevel(node: ts.Node): boolean {
  if (ts.isFunctionLike(node) || ts.isClassStaticBlockDeclaration(node)) return false;
  if (ts.isPropertyDeclaration(node)) return isStatic(node);
  if (ts.isHeritageClause(node)) return node.token === ts.SyntaxKind.ExtendsKeyword;
  return ts.isExpressionWithTypeArguments(node) || !ts.isTypeNode(node);
}

function isStatic(node: ts.PropertyDeclaration): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.StaticKeyword) ?? false;
}
