import ts from "typescript";

/**
 * Wraps what bundlers would keep for fear of side effects, in JavaScript whose calls `markPure` has marked: `const a = { ...b };` becomes
 * `const a = (() => ({ ...b }))();`, marked as pure, and so do classes with computed names or static values of that kind.
 *
 * A spread, a property access or a destructuring may run code in principle; at the top level of this project none does.
 */
export function makeDroppable(text: string): string {
  const file = ts.createSourceFile("module.js", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const edits: { node: ts.Node; by: string }[] = [];
  for (const statement of file.statements) {
    if (ts.isClassDeclaration(statement) && statement.name && !isInertClass(statement)) {
      const name = statement.name.text;
      const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      const definition = statement.getText(file).replace(/^export\s+/, "");
      const by = `const ${name} = ${pure(`{\n${definition}\nreturn ${name};\n}`)};`;
      edits.push({ node: statement, by: isExported ? `export ${by}` : by });
    }
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!initializer || waits(initializer)) continue;
      if (ts.isIdentifier(name) && !isInert(initializer)) {
        edits.push({ node: initializer, by: pure(`(${initializer.getText(file)})`) });
      } else if (ts.isObjectBindingPattern(name) && ts.isIdentifier(initializer)) {
        if (name.elements.some((element) => element.dotDotDotToken || element.initializer)) continue;
        const parts = name.elements.map(
          (element) =>
            `${element.name.getText(file)} = ${pure(`${initializer.text}.${(element.propertyName ?? element.name).getText(file)}`)}`,
        );
        edits.push({ node: name.parent, by: parts.join(", ") });
      }
    }
  }
  let wrapped = text;
  for (const { node, by } of edits.reverse()) {
    wrapped = wrapped.slice(0, node.getStart(file)) + by + wrapped.slice(node.end);
  }
  return wrapped;
}

const pure = (body: string): string => `/* @__PURE__ */ (() => ${body})()`;

function isInertClass({ heritageClauses, members }: ts.ClassDeclaration): boolean {
  const bases = heritageClauses?.flatMap(({ types }) => types.map(({ expression }) => expression)) ?? [];
  return (
    bases.every(isInert) &&
    members.every((member) => {
      if (ts.isClassStaticBlockDeclaration(member)) return true; // It acts, and stays.
      if (member.name && ts.isComputedPropertyName(member.name)) return false;
      const isStatic = ts.canHaveModifiers(member)
        ? member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword)
        : false;
      return !isStatic || !ts.isPropertyDeclaration(member) || !member.initializer || isInert(member.initializer);
    })
  );
}

/** Whether bundlers see that nothing happens when the value is made. */
function isInert(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isInert(node.expression);
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    return isMarked(node) && (node.arguments ?? []).every(isInert);
  }
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isInert);
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.every((property) => {
      if (ts.isSpreadAssignment(property) || ts.isComputedPropertyName(property.name)) return false;
      return !ts.isPropertyAssignment(property) || isInert(property.initializer);
    });
  }
  if (ts.isPrefixUnaryExpression(node)) return isInert(node.operand);
  if (ts.isBinaryExpression(node)) return isInert(node.left) && isInert(node.right);
  return (
    ts.isIdentifier(node) ||
    ts.isLiteralExpression(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isClassExpression(node) ||
    [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(node.kind)
  );
}

function isMarked(node: ts.Node): boolean {
  return node.getSourceFile().text.slice(node.getFullStart(), node.getStart()).includes("@__PURE__");
}

function waits(node: ts.Node): boolean {
  if (ts.isAwaitExpression(node)) return true;
  return !ts.isFunctionLike(node) && (ts.forEachChild(node, waits) ?? false);
}
