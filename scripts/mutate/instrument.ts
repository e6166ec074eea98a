/**
 * All mutants of a file in one copy of it.
 *
 * Where a mutant may change something, the copy asks at run time which one is on: `a < b` becomes
 * `($(7) ? a <= b : a < b)`, a statement `x();` becomes `{ if (!$(8)) x(); }`. So the code is compiled once however
 * many mutants there are, and a run without any shows which ones the tests reach at all.
 */
import ts from "typescript";
import { changesOf } from "./changes.ts";

export interface Mutant {
  id: number;
  file: string;
  line: number;
  was: string;
  becomes: string;
}

export interface Instrumented {
  text: string;
  mutants: Mutant[];
}

/** The copy asks a function named `$`, which it does not import itself. Ids start at `firstId`. */
export function instrument(file: string, text: string, firstId: number): Instrumented {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];

  const asked = (node: ts.Node, becomes: string): string => {
    const id = firstId + mutants.length;
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    mutants.push({ id, file, line, was: node.getText(source), becomes });
    return `$(${id})`;
  };

  const copied = (node: ts.Node): string => {
    let copy = "";
    let at = node.getStart(source);
    ts.forEachChild(node, (child) => {
      copy += text.slice(at, child.getStart(source)) + visited(child);
      at = child.getEnd();
    });
    return copy + text.slice(at, node.getEnd());
  };

  const visited = (node: ts.Node): string => {
    if (hasNoBehaviour(node)) return node.getText(source);
    if (isRemovable(node)) return `{ if (!${asked(node, "(nothing)")}) ${copied(node)} }`;
    if (isOverride(node)) return `...(${asked(node, "(nothing)")} ? {} : { ${copied(node)} })`;
    if (!isExpression(node)) return copied(node);
    const changes = changesOf(node, source).map((change) => `${asked(node, change)} ? ${change} : `);
    return changes.length === 0 ? copied(node) : `(${changes.join("")}${copied(node)})`;
  };

  return { text: text.slice(0, source.getStart()) + copied(source), mutants };
}

function hasNoBehaviour(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node)
  );
}

/** Names are identifiers or literals too, yet no expressions. */
function isExpression(node: ts.Node): node is ts.Expression {
  const { parent } = node;
  if ("name" in parent && parent.name === node) return false;
  if (ts.isIdentifier(node) && !ts.isExpressionStatement(parent)) return isValue(node);
  return ts.isExpression(node);
}

/** Where an identifier is read, and something may be asked about it: conditions and operands. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) {
    const { kind } = parent.operatorToken;
    return (
      kind < ts.SyntaxKind.FirstAssignment || kind > ts.SyntaxKind.LastAssignment || parent.right === node
    );
  }
  if (ts.isArrowFunction(parent)) return parent.body === node;
  return (
    ts.isIfStatement(parent) ||
    ts.isConditionalExpression(parent) ||
    ts.isParenthesizedExpression(parent) ||
    (ts.isPrefixUnaryExpression(parent) && parent.operator === ts.SyntaxKind.ExclamationToken)
  );
}

/** Statements that only do, refuse or return early. Alone under an `if`, the condition stands for them. */
function isRemovable(node: ts.Node): boolean {
  if (ts.isExpressionStatement(node)) return !isSuperCall(node) && !isAlone(node);
  if (ts.isThrowStatement(node)) return !isAlone(node);
  return ts.isReturnStatement(node) && !isAlone(node) && !isLastOfFunction(node);
}

function isSuperCall({ expression }: ts.ExpressionStatement): boolean {
  return ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword;
}

function isAlone(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isIfStatement(parent)) return parent.elseStatement === undefined;
  return (
    ts.isBlock(parent) && parent.statements.length === 1 && ts.isIfStatement(parent.parent) && isAlone(parent)
  );
}

function isLastOfFunction(node: ts.Node): boolean {
  const { parent } = node;
  return ts.isBlock(parent) && ts.isFunctionLike(parent.parent) && parent.statements.at(-1) === node;
}

/** A property that replaces one of an object spread before it. */
function isOverride(node: ts.Node): boolean {
  if (!ts.isPropertyAssignment(node) && !ts.isShorthandPropertyAssignment(node)) return false;
  const { properties } = node.parent;
  return properties.slice(0, properties.indexOf(node)).some(ts.isSpreadAssignment);
}
