/** Small changes to a regular expression: anchors, quantifiers and flags dropped, classes turned over. */

const changes: [part: RegExp, becomes: (part: string) => string][] = [
  [/(?<!\[|\\)\^|(?<!\\)\$/g, () => ""],
  [/(?<=[\])\w])(?:[+*?]|\{\d+(?:,\d*)?\})\??/g, () => ""],
  [/\[\^?/g, (open) => (open === "[" ? "[^" : "[")],
  [/\\[dDsSwWpP]/g, ([slash, letter]) => slash! + turnedOver(letter!)],
  [/\(\?[=!]/g, (open) => (open === "(?=" ? "(?!" : "(?=")],
];

/** The changed literals, those only that are still regular expressions. */
export function regexpChanges(literal: string): string[] {
  const end = literal.lastIndexOf("/");
  const pattern = literal.slice(1, end);
  const flags = literal.slice(end + 1);
  const found = new Set<string>();
  const add = (changedPattern: string, changedFlags: string) => {
    if (changedPattern !== "" && isValid(changedPattern, changedFlags))
      found.add(`/${changedPattern}/${changedFlags}`);
  };
  for (const [part, becomes] of changes) {
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
