/**
 * The version every stored document carries. A program that meets a document from a newer one must not
 * guess what the new fields mean, so it refuses to read it.
 */
import { documentVersion } from "./document-upgrade.ts";
import type { Collection } from "./store.ts";

/** Throws when the value is not a document of this collection. Called as it is written and as it is read. */
export type AssertDocument = (collection: Collection, doc: unknown) => void;

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
