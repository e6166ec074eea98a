/**
 * How documents lie in LMDB.
 *
 * A byte with the document version, then JSON: as fast to read as the library's own encoding and without its
 * table of shared structures, which would have to survive every aborted transaction. Images are raw bytes
 * behind a short header, so that serving one copies it once and parses nothing.
 */
import { wantingStatuses } from "../../domain/code/render-state.ts";
import type { CodeDoc, FileDoc } from "../../domain/documents.ts";
import { defaultMetadata } from "../../domain/looks/render-metadata.ts";
import {
  type AssertDocument,
  assertVersion,
  type DocumentText,
  documentVersion,
  UnreadableDocument,
  upgraded,
} from "../document-version.ts";
import type { Collection, Collections } from "../store.ts";

const versionByte = String.fromCharCode(documentVersion);

export interface DocumentCoding {
  encode<C extends Collection>(collection: C, doc: Collections[C]): Uint8Array;
  decode<C extends Collection>(collection: C, id: string, bytes: Uint8Array): Collections[C];
}

export function documentCoding(assertDocument: AssertDocument, documentText: DocumentText): DocumentCoding {
  return {
    encode(collection, doc) {
      assertDocument(collection, doc);
      return collection === "files"
        ? encodeFile(doc as FileDoc)
        : Buffer.from(versionByte + documentText(collection, doc));
    },
    decode<C extends Collection>(collection: C, id: string, bytes: Uint8Array): Collections[C] {
      const doc =
        collection === "files"
          ? decodeFile(id, bytes)
          : upgraded(collection, bytes[0]!, decodeJson(collection, id, bytes) as Record<string, unknown>);
      if (collection === "codes") withLooks(doc as Partial<CodeDoc>);
      try {
        assertDocument(collection, doc);
      } catch (cause) {
        throw new UnreadableDocument(`${collection} "${id}" is not valid: ${(cause as Error).message}`, {
          cause,
        });
      }
      return doc as Collections[C];
    },
  };
}

/** A code that nobody styled is stored without its looks: a third of all its text, and of what a create has to write. */
function withLooks(code: Partial<CodeDoc>): void {
  code.metadata ??= defaultMetadata;
}

/** For a database of texts. */
export function encodedText(doc: object): string {
  return versionByte + JSON.stringify(doc);
}

export function decodeJson(where: string, id: string, bytes: Uint8Array): unknown {
  assertVersion(where, id, bytes[0]);
  return JSON.parse(asBuffer(bytes).toString("utf8", 1));
}

const beforeSlug = Buffer.from('"slug":"');
const quote = 0x22;

/**
 * The slug of a stored code, without parsing the rest, which takes ten times as long. In no text of a code can there be
 * what is looked for: its quotes would be escaped.
 */
export function slugIn(id: string, bytes: Buffer | undefined): string {
  const begin = bytes === undefined ? -1 : bytes.indexOf(beforeSlug) + beforeSlug.length;
  if (bytes === undefined || begin < beforeSlug.length)
    throw new UnreadableDocument(`codes "${id}" has no slug`);
  return bytes.toString("latin1", begin, bytes.indexOf(quote, begin));
}

const wishes = wantingStatuses.map((status) => Buffer.from(`"status":"${status}"`));

/** Whether a stored code wants an image, as `wantsImage` says of a document; without parsing it either. */
export function saysItWantsImage(bytes: Uint8Array): boolean {
  const stored = asBuffer(bytes);
  return wishes.some((wish) => stored.includes(wish));
}

/** Version, length of the account id, account id, image. */
function encodeFile({ account_id, bytes }: FileDoc): Uint8Array {
  const owner = Buffer.from(account_id);
  if (owner.length > 255) throw new RangeError("files account_id is longer than 255 bytes");
  return Buffer.concat([Buffer.of(documentVersion, owner.length), owner, bytes]);
}

function decodeFile(id: string, bytes: Uint8Array): FileDoc {
  const stored = asBuffer(bytes);
  assertVersion("files", id, stored[0]);
  const begin = 2 + stored[1]!;
  return { id, account_id: stored.toString("utf8", 2, begin), bytes: new Uint8Array(stored.subarray(begin)) };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
