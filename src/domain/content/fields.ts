/** Reading the fields of content that somebody sent: every mistake names its field. */

/** A field that cannot be used; the problem is for people. */
export class ContentError extends Error {
  override name = "ContentError";
  readonly field: string;
  readonly problem: string;

  constructor(field: string, problem: string) {
    super(`${field} ${problem}`);
    this.field = field;
    this.problem = problem;
  }
}

/** What a form sends: nothing is known of it. */
export type Given = Readonly<Record<string, unknown>>;

/** A text of at most so many characters, without blanks around it; empty when there is none. */
export function textIn(given: Given, field: string, charsMax: number): string {
  const value = given[field];
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") throw new ContentError(field, "must be a text");
  if (!value.isWellFormed()) throw new ContentError(field, "must not contain half of a surrogate pair");
  const text = value.trim();
  if ([...text].length > charsMax) throw new ContentError(field, `must have at most ${charsMax} characters`);
  return text;
}

/** The same on one line. */
export function lineIn(given: Given, field: string, charsMax: number): string {
  const text = textIn(given, field, charsMax);
  if (/\p{Cc}/u.test(text)) throw new ContentError(field, "must be one line without control characters");
  return text;
}

export function required(text: string, field: string): string {
  if (text === "") throw new ContentError(field, "is required");
  return text;
}

export function flagIn(given: Given, field: string): boolean {
  const value = given[field] ?? false;
  if (typeof value !== "boolean") throw new ContentError(field, "must be true or false");
  return value;
}

export function choiceIn<const T extends string>(given: Given, field: string, choices: readonly T[]): T {
  const value = given[field];
  if (value === undefined || value === null) throw new ContentError(field, "is required");
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new ContentError(field, `must be one of ${choices.join(", ")}`);
  return found;
}

export function numberIn(given: Given, field: string, least: number, most: number): number {
  const value = given[field];
  if (value === undefined || value === null) throw new ContentError(field, "is required");
  if (typeof value !== "number" || !(value >= least && value <= most)) {
    throw new ContentError(field, `must be a number from ${least} to ${most}`);
  }
  return value;
}

export function listIn(given: Given, field: string, itemsMax: number): readonly unknown[] {
  const value = given[field] ?? [];
  if (!Array.isArray(value)) throw new ContentError(field, "must be a list");
  if (value.length > itemsMax) throw new ContentError(field, `must have at most ${itemsMax} entries`);
  return value;
}

/** As phones dial it: what people write between digits is left out. */
export function phoneIn(given: Given, field: string, name = field): string {
  const number = required(lineIn(given, field, 40), name).replaceAll(/[\s()./-]/g, "");
  if (!/^\+?[\d*#]{2,20}$/.test(number)) {
    throw new ContentError(name, "must be a phone number, like +49 30 1234567");
  }
  return number;
}

export function emailIn(text: string, field: string): string {
  if (!/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(text)) {
    throw new ContentError(field, "must be an e-mail address, like ada@example.com");
  }
  return text;
}
