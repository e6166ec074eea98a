/** A contact card as vCard 4.0 (RFC 6350). Lines are not folded: some readers of codes do not unfold them. */
import { ContentError, emailIn, type Given, lineIn, listIn, phoneIn, required, textIn } from "./fields.ts";

const nameChars = 80;
const entriesMax = 4;
const phoneKinds = ["cell", "work", "home"] as const;

export function contactCard(given: Given): string {
  const [first, last] = [lineIn(given, "first_name", nameChars), lineIn(given, "last_name", nameChars)];
  const organization = lineIn(given, "organization", nameChars);
  const name = contactName(given);
  if (name === "") throw new ContentError("first_name", "is required, or last_name, or organization");
  const address = ["street", "city", "region", "postal_code", "country"].map((field) =>
    lineIn(given, field, nameChars),
  );
  const website = lineIn(given, "website", 300);
  if (website !== "" && !/^https?:\/\/[^\s/]+/i.test(website)) {
    throw new ContentError("website", "must be an address that begins with https:// or http://");
  }
  return [
    "BEGIN:VCARD",
    "VERSION:4.0",
    `N:${escaped(last)};${escaped(first)};;;`,
    `FN:${escaped(name)}`,
    ...line("ORG", organization),
    ...line("TITLE", lineIn(given, "title", nameChars)),
    ...listIn(given, "phones", entriesMax).map(phoneLine),
    ...listIn(given, "emails", entriesMax).map(emailLine),
    // A URL is no text: nothing in it is escaped.
    ...(website === "" ? [] : [`URL:${website}`]),
    ...(address.every((part) => part === "") ? [] : [`ADR:;;${address.map(escaped).join(";")}`]),
    ...line("NOTE", textIn(given, "note", 500)),
    "END:VCARD",
    "",
  ].join("\r\n");
}

export function contactName(given: Given): string {
  const person = [lineIn(given, "first_name", nameChars), lineIn(given, "last_name", nameChars)];
  return person.filter((part) => part !== "").join(" ") || lineIn(given, "organization", nameChars);
}

function line(property: string, text: string): string[] {
  return text === "" ? [] : [`${property}:${escaped(text)}`];
}

function phoneLine(entry: unknown, at: number): string {
  const place = `phones[${at}]`;
  if (typeof entry !== "object" || entry === null) throw new ContentError(place, "must be an object");
  const { kind = "cell" } = entry as { kind?: unknown };
  const known = phoneKinds.find((one) => one === kind);
  if (known === undefined) {
    throw new ContentError(`${place}.kind`, `must be one of ${phoneKinds.join(", ")}`);
  }
  return `TEL;TYPE=${known}:${phoneIn(entry as Given, "number", `${place}.number`)}`;
}

function emailLine(entry: unknown, at: number): string {
  const place = `emails[${at}]`;
  const text = required(lineIn({ [place]: entry }, place, 254), place);
  return `EMAIL:${escaped(emailIn(text, place))}`;
}

/** The same in calendars. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\,;]/g, "\\$&").replaceAll(/\r\n|\r|\n/g, "\\n");
}
