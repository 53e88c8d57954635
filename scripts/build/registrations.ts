import ts from "typescript";

/**
 * Moves what a module does with its classes at top level into their definitions, so that bundlers drop both when the class is not used:
 * `class A {}` and `register({ A });` become `class A { static #folded = [register({ A })]; }`, with the call marked as pure.
 *
 * All of the package's code is in one file of dist/, where a statement of its own would be kept, and with it what it mentions. Calls
 * that mention more than one thing of their module stay as they are.
 */
export function foldRegistrations(text: string): string {
  const file = ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const declared = new Map(file.statements.flatMap((statement) => namesOf(statement).map((name) => [name, statement])));
  const calls = new Map<ts.ClassDeclaration, ts.ExpressionStatement[]>();
  for (const statement of file.statements) {
    if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) continue;
    const mentioned = new Set(identifiersIn(statement).flatMap((name) => declared.get(name) ?? []));
    const [only] = mentioned;
    if (mentioned.size !== 1 || !only || !ts.isClassDeclaration(only)) continue;
    calls.set(only, [...(calls.get(only) ?? []), statement]);
  }

  const edits: { from: number; to: number; by: string }[] = [];
  for (const [declaration, statements] of calls) {
    const folded = statements.map(({ expression }) => `/* @__PURE__ */ ${expression.getText(file)}`);
    const end = declaration.end - 1;
    edits.push({ from: end, to: end, by: `;\n  static #folded = [${folded.join(", ")}];\n` });
    for (const statement of statements) edits.push({ from: statement.getStart(file), to: statement.end, by: "" });
  }
  let folded = text;
  for (const { from, to, by } of edits.sort((a, b) => b.from - a.from)) {
    folded = folded.slice(0, from) + by + folded.slice(to);
  }
  return folded;
}

/** Names of the values that a statement declares at top level. */
function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => identifiersIn(name));
  }
  const isNamed = ts.isClassDeclaration(statement) || ts.isFunctionDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}

function identifiersIn(node: ts.Node): string[] {
  if (ts.isIdentifier(node)) return [node.text];
  const names: string[] = [];
  ts.forEachChild(node, (child) => {
    // In `{ name: value }` and `object.name` the name is no reference.
    const isLabel = (ts.isPropertyAssignment(node) || ts.isPropertyAccessExpression(node)) && node.name === child;
    if (!isLabel) names.push(...identifiersIn(child));
  });
  return names;
}
