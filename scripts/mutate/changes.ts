/**
 * What a mutant may change.
 *
 * A change that another one implies is not made. Whoever notices that a comparison is always true and that it is
 * always false also notices that it is turned over, so `===` does not become `!==`; whoever notices that an
 * operand of `&&` is always true or always false also notices `||`. This keeps the share of killed mutants from
 * being made of easy ones.
 *
 * Words for people are left alone: a literal with a space in it is taken for a message. Types have no behaviour.
 */
import ts from "typescript";

const { SyntaxKind } = ts;

const boundaries: Partial<Record<ts.SyntaxKind, string>> = {
  [SyntaxKind.LessThanToken]: "<=",
  [SyntaxKind.LessThanEqualsToken]: "<",
  [SyntaxKind.GreaterThanToken]: ">=",
  [SyntaxKind.GreaterThanEqualsToken]: ">",
};

const comparisons: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
  SyntaxKind.LessThanToken,
  SyntaxKind.LessThanEqualsToken,
  SyntaxKind.GreaterThanToken,
  SyntaxKind.GreaterThanEqualsToken,
  SyntaxKind.InstanceOfKeyword,
  SyntaxKind.InKeyword,
]);

const otherOperator: Partial<Record<ts.SyntaxKind, string>> = {
  [SyntaxKind.PlusToken]: "-",
  [SyntaxKind.MinusToken]: "+",
  [SyntaxKind.AsteriskToken]: "/",
  [SyntaxKind.SlashToken]: "*",
  [SyntaxKind.PercentToken]: "*",
  [SyntaxKind.AsteriskAsteriskToken]: "*",
  [SyntaxKind.CaretToken]: "&",
  [SyntaxKind.PlusEqualsToken]: "-=",
  [SyntaxKind.MinusEqualsToken]: "+=",
  [SyntaxKind.QuestionQuestionEqualsToken]: "=",
};

const otherMethod: Record<string, string> = {
  min: "max",
  max: "min",
  floor: "ceil",
  ceil: "floor",
  round: "floor",
  some: "every",
  every: "some",
  startsWith: "endsWith",
  endsWith: "startsWith",
  indexOf: "lastIndexOf",
  lastIndexOf: "indexOf",
  toUpperCase: "toLowerCase",
  toLowerCase: "toUpperCase",
  padStart: "padEnd",
  padEnd: "padStart",
};

/** Calls whose result may be mistaken for what they are called on. */
const droppable: ReadonlySet<string> = new Set([
  "trim",
  "slice",
  "filter",
  "sort",
  "toUpperCase",
  "toLowerCase",
]);

export function changesOf(node: ts.Expression, source: ts.SourceFile): string[] {
  const text = (part: ts.Node) => part.getText(source);
  const found: string[] = [];
  if (isEquated(node)) return [];
  if (isTruthLeaf(node)) found.push(...(isLoopCondition(node) ? ["false"] : ["true", "false"]));

  if (ts.isBinaryExpression(node)) {
    const boundary = boundaries[node.operatorToken.kind] ?? otherOperator[node.operatorToken.kind];
    if (boundary !== undefined) found.push(`${text(node.left)} ${boundary} ${text(node.right)}`);
    if (node.operatorToken.kind === SyntaxKind.QuestionQuestionToken) {
      found.push(text(node.left), text(node.right));
    }
  } else if (ts.isPrefixUnaryExpression(node)) {
    if (node.operator === SyntaxKind.MinusToken) found.push(text(node.operand));
  } else if (ts.isPostfixUnaryExpression(node)) {
    found.push(text(node.operand) + (node.operator === SyntaxKind.PlusPlusToken ? "--" : "++"));
  } else if (ts.isCallExpression(node)) {
    found.push(...callChanges(node, text));
  } else {
    found.push(...literalChanges(node, text));
  }
  if (ts.isArrowFunction(node.parent) && node.parent.body === node) found.push("undefined");
  // The whole chain at once: a part of it in brackets would lose its `this`.
  if (ts.isOptionalChain(node) && !ts.isOptionalChain(node.parent))
    found.push(text(node).replaceAll("?.", "."));
  return [...new Set(found)].filter((change) => change !== text(node));
}

function callChanges(call: ts.CallExpression, text: (part: ts.Node) => string): string[] {
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee) || ts.isOptionalChain(callee)) return [];
  const found: string[] = [];
  const name = callee.name.text;
  const other = Object.hasOwn(otherMethod, name) ? otherMethod[name] : undefined;
  const args = call.arguments.map(text).join(", ");
  if (other !== undefined) found.push(`${text(callee.expression)}.${other}(${args})`);
  if (droppable.has(name)) found.push(text(callee.expression));
  return found;
}

function literalChanges(node: ts.Expression, text: (part: ts.Node) => string): string[] {
  if (node.kind === SyntaxKind.TrueKeyword) return ["false"];
  if (node.kind === SyntaxKind.FalseKeyword) return ["true"];
  if (ts.isNumericLiteral(node)) return [String(Number(node.text) + 1)];
  if (ts.isRegularExpressionLiteral(node)) return regexpChanges(text(node));
  if (ts.isArrayLiteralExpression(node)) return node.elements.length === 0 ? [] : ["[]"];
  if (ts.isObjectLiteralExpression(node)) return node.properties.length === 0 ? [] : ["({})"];
  if (ts.isStringLiteral(node) && !text(node).includes(" ")) {
    return [node.text === "" ? '"changed"' : '""'];
  }
  const isTemplate = ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node);
  return isTemplate && !wordsOf(node).includes(" ") ? ['""'] : [];
}

function wordsOf(template: ts.TemplateExpression | ts.NoSubstitutionTemplateLiteral): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return template.head.text + template.templateSpans.map((span) => span.literal.text).join("");
}

function isComparison(node: ts.Node): boolean {
  return ts.isBinaryExpression(node) && comparisons.has(node.operatorToken.kind);
}

/** A literal that something is compared with: another one is as good as always false, or always true. */
function isEquated(node: ts.Expression): boolean {
  if (ts.isPrefixUnaryExpression(node.parent)) return ts.isNumericLiteral(node) && isEquated(node.parent);
  const isLiteral = ts.isLiteralExpression(node) || ts.isPrefixUnaryExpression(node);
  return isLiteral && isComparison(node.parent) && !hasBoundary(node.parent);
}

function hasBoundary(node: ts.Node): boolean {
  return ts.isBinaryExpression(node) && node.operatorToken.kind in boundaries;
}

/** An expression taken for true or false that is not itself made of such ones. */
function isTruthLeaf(node: ts.Expression): boolean {
  if (isCompound(node)) return false;
  return isComparison(node) || isJudged(node);
}

function isCompound(node: ts.Node): boolean {
  if (ts.isParenthesizedExpression(node)) return true;
  if (ts.isPrefixUnaryExpression(node)) return node.operator === SyntaxKind.ExclamationToken;
  return isLogical(node);
}

function isLogical(node: ts.Node): boolean {
  return (
    ts.isBinaryExpression(node) &&
    (node.operatorToken.kind === SyntaxKind.AmpersandAmpersandToken ||
      node.operatorToken.kind === SyntaxKind.BarBarToken)
  );
}

function isJudged(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isParenthesizedExpression(parent)) return isJudged(parent);
  if (ts.isIfStatement(parent) || ts.isConditionalExpression(parent)) return isCondition(parent, node);
  return isCompound(parent) || isLoopCondition(node);
}

function isCondition(parent: ts.IfStatement | ts.ConditionalExpression, node: ts.Expression): boolean {
  return (ts.isIfStatement(parent) ? parent.expression : parent.condition) === node;
}

/** Always true would only loop for ever. */
function isLoopCondition(node: ts.Expression): boolean {
  const { parent } = node;
  return (
    ((ts.isWhileStatement(parent) || ts.isDoStatement(parent)) && parent.expression === node) ||
    (ts.isForStatement(parent) && parent.condition === node)
  );
}

/** Small changes to a regular expression: anchors, quantifiers and flags dropped, classes turned over. */
const inRegexp: [part: RegExp, becomes: (part: string) => string][] = [
  [/(?<!\[|\\)\^|(?<!\\)\$/g, () => ""],
  [/(?<=[\])\w])(?:[+*?]|\{\d+(?:,\d*)?\})\??/g, () => ""],
  [/\[\^?/g, (open) => (open === "[" ? "[^" : "[")],
  [/\\[dDsSwWpP]/g, ([slash, letter]) => slash! + turnedOver(letter!)],
  [/\(\?[=!]/g, (open) => (open === "(?=" ? "(?!" : "(?=")],
];

/** The changed literals, those only that are still regular expressions. */
function regexpChanges(literal: string): string[] {
  const end = literal.lastIndexOf("/");
  const pattern = literal.slice(1, end);
  const flags = literal.slice(end + 1);
  const found = new Set<string>();
  const add = (changedPattern: string, changedFlags: string) => {
    if (changedPattern !== "" && isValid(changedPattern, changedFlags))
      found.add(`/${changedPattern}/${changedFlags}`);
  };
  for (const [part, becomes] of inRegexp) {
    for (const match of pattern.matchAll(part)) {
      const after = match.index + match[0].length;
      add(pattern.slice(0, match.index) + becomes(match[0]) + pattern.slice(after), flags);
    }
  }
  for (const flag of ["i", "g"]) if (flags.includes(flag)) add(pattern, flags.replace(flag, ""));
  return [...found];
}

function turnedOver(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}

function isValid(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
