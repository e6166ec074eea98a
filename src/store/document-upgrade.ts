/**
 * What documents of older versions lack, and what it means that they lack it. They are completed as they are read
 * and get the new version when they are next written, so a start on old data has nothing to walk through.
 */
import type { Collection } from "../domain/documents.ts";

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
