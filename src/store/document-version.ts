/**
 * The version every stored document carries. A program that meets a document from a newer one must not
 * guess what the new fields mean, so it refuses to read it. Documents of older versions lack fields; they are completed
 * as they are read and get the new version when they are next written, so a start on old data has nothing to walk
 * through.
 */
import type { Collection, Collections } from "../domain/documents.ts";

type Fields = Record<string, unknown>;
type Kind = Collection | "scan_hours" | "scan_days";
type Upgrade = Partial<Record<Kind, (doc: Fields) => Fields>>;

/** The first one leads from version 1 to version 2. */
const upgrades: readonly Upgrade[] = [
  // That a code was blocked was said by its status alone, and forgotten when it was archived.
  { codes: (doc) => ({ ...doc, blocked: doc.status === "blocked" }) },
  // Projects were not counted.
  { accounts: (doc) => ({ ...doc, project_count: null }) },
  // Robots were not told from people.
  { scan_hours: ({ id, ...people }) => ({ id, people, robots: null }) },
  // Codes were of fewer types. There is nothing to add, but an older program must not read the new ones.
  {},
  // How often a session asks was not stored.
  { sessions: (doc) => ({ ...doc, minute: { start: 0, used: 0 }, day: { start: 0, used: 0 } }) },
  // The looks that nobody asked for were stored with every code. Whoever changes those looks has to add them here.
  {},
];

/** The version every document is written with. */
export const documentVersion = upgrades.length + 1;

/** The document as this program knows it. */
export function upgraded(collection: Kind, version: number, doc: Fields): Fields {
  let fields = doc;
  for (let from = version; from < documentVersion; from++) {
    fields = upgrades[from - 1]![collection]?.(fields) ?? fields;
  }
  return fields;
}

/** Throws when the value is not a document of this collection. Called as it is written and as it is read. */
export type AssertDocument = (collection: Collection, doc: unknown) => void;

/** The JSON of a document: what `JSON.stringify` gives, but for the looks of a code that nobody styled. */
export type DocumentText = <C extends Collection>(collection: C, doc: Collections[C]) => string;

/** A stored document that this program must not use. Unlike `StoreUnavailable`, waiting does not help. */
export class UnreadableDocument extends Error {
  override name = "UnreadableDocument";
}

export function assertVersion(where: string, id: string, version: unknown): asserts version is number {
  if (typeof version === "number" && version >= 1 && version <= documentVersion) return;
  const written = typeof version === "number" ? `document version ${version}` : "no document version";
  throw new UnreadableDocument(
    `${where} "${id}" has ${written}; this program reads up to version ${documentVersion}. ` +
      "Start a newer program on this data.",
  );
}
