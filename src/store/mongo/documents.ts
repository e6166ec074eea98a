/**
 * How documents lie in MongoDB: the document itself with `_id` for `id` and its version `v`, and what an index
 * needs beside it (`label_lower`, `rendering`).
 */
import { Binary, type Db, type IndexDescription, MongoNetworkError } from "mongodb";
import { beginOf } from "../../domain/analytics/link-scans.ts";
import type { AddTotals } from "../../domain/analytics/tally.ts";
import { wantsImage } from "../../domain/code/render-state.ts";
import type { CodeDoc, FileDoc, ScanDayDoc, ScanHourDoc, Tally } from "../../domain/documents.ts";
import { preparationMsMax } from "../../limits.ts";
import {
  type AssertDocument,
  assertVersion,
  documentVersion,
  UnreadableDocument,
  upgraded,
} from "../document-version.ts";
import type { CodeQuery, Collection, Collections, Document } from "../store.ts";
import { asStoreError } from "./client.ts";

export interface Stored {
  _id: string;
  v: number;
  [field: string]: unknown;
}

export interface DocumentMapping {
  toStored<C extends Collection>(collection: C, doc: Collections[C]): Stored;
  fromStored<C extends Collection>(collection: C, stored: Stored): Collections[C];
}

export function documentMapping(assertDocument: AssertDocument): DocumentMapping {
  return {
    toStored(collection, doc) {
      assertDocument(collection, doc);
      const { id, ...fields } = doc as Document;
      return { _id: id, v: documentVersion, ...fields, ...indexFields(collection, doc) };
    },
    fromStored<C extends Collection>(collection: C, stored: Stored): Collections[C] {
      assertVersion(collection, stored._id, stored.v);
      const { _id, v, label_lower, rendering, ...fields } = stored;
      const doc = upgraded(collection, v, { id: _id, ...fields });
      if (collection === "files") doc.bytes = plainBytes(doc.bytes);
      try {
        assertDocument(collection, doc);
      } catch (cause) {
        throw new UnreadableDocument(`${collection} "${_id}" is not valid: ${(cause as Error).message}`, {
          cause,
        });
      }
      return doc as unknown as Collections[C];
    },
  };
}

function indexFields(collection: Collection, doc: Document): Record<string, unknown> {
  if (collection === "files") return { bytes: new Binary((doc as FileDoc).bytes) };
  if (collection !== "codes") return {};
  const { label, render } = doc as CodeDoc;
  const rendering = wantsImage(render);
  return { label_lower: label.toLowerCase(), ...(rendering ? { rendering } : {}) };
}

function plainBytes(value: unknown): unknown {
  return value instanceof Binary ? new Uint8Array(value.buffer.subarray(0, value.position)) : value;
}

/** Every member writes hours of its own, or they would wait for each other. Hours of nobody's are the sum of others. */
export function timeIdIn(id: string, epoch: number | null): string {
  return epoch === null ? id : `${id}/${epoch}`;
}

/** The id without a member: the slug or id, and the time. */
export function timeIdOf(storedId: string): string {
  const [of, begin] = storedId.split("/");
  return `${of}/${begin}`;
}

/** All that is stored under this id, whoever wrote it: a slash comes right before the first digit. */
export function allOfTime(id: string): { $gte: string; $lt: string } {
  return { $gte: id, $lt: `${id}0` };
}

/** Names of hosts have dots, which field names had better not have: maps are stored as pairs. */
export function timeToStored(
  { id, people, robots }: ScanHourDoc | ScanDayDoc,
  epoch: number | null = null,
): Stored {
  const pairs = (tally: Tally | null) =>
    tally && {
      ...tally,
      countries: Object.entries(tally.countries),
      devices: Object.entries(tally.devices),
      referrers: Object.entries(tally.referrers),
    };
  return {
    _id: timeIdIn(id, epoch),
    v: documentVersion,
    at: beginOf({ id }),
    people: pairs(people),
    robots: pairs(robots),
  };
}

export function timeFromStored<Doc extends ScanHourDoc | ScanDayDoc>(
  name: "scan_hours" | "scan_days",
  { _id, v, at: _, ...fields }: Stored,
): Doc {
  assertVersion(name, _id, v);
  const id = timeIdOf(_id);
  const { people, robots } = upgraded(name, v, { id, ...fields });
  return { id, people: withMaps(people), robots: withMaps(robots) } as Doc;
}

/** How many scans there were in an hour, from as little of it as `totalsAlone` leaves. */
export function addTotalsFromStored({ _id, v, ...fields }: Stored, add: AddTotals): void {
  assertVersion("scan_hours", _id, v);
  const id = timeIdOf(_id);
  const { people, robots } = upgraded("scan_hours", v, { id, ...fields }) as unknown as ScanHourDoc;
  add(beginOf({ id }), people?.total ?? 0, robots?.total ?? 0);
}

/** Earlier versions have the total of an hour as a field of its own. */
export const totalsAlone = { v: 1, total: 1, "people.total": 1, "robots.total": 1 } as const;

function withMaps(tally: unknown): object | null {
  if (tally === null) return null;
  const { countries, devices, referrers, ...rest } = tally as Record<string, [string, number][]>;
  return {
    ...rest,
    countries: Object.fromEntries(countries!),
    devices: Object.fromEntries(devices!),
    referrers: Object.fromEntries(referrers!),
  };
}

/** The list index that serves a query: its name says which of the optional filters it begins with. */
export function listIndexOf({ project_id, type }: Pick<CodeQuery, "project_id" | "type">): string {
  return `list${project_id === null ? "" : "_project"}${type === null ? "" : "_type"}`;
}

const listEnd = { status: 1, _id: -1, label_lower: 1 } as const;

const indexes: Record<string, IndexDescription[]> = {
  scan_parts: [
    { name: "slug", key: { slug: 1 } },
    { name: "epoch", key: { epoch: 1 } },
  ],
  scan_hours: [{ name: "at", key: { at: 1 } }],
  scan_days: [{ name: "at", key: { at: 1 } }],
  keys: [
    { name: "hash", key: { hash: 1 }, unique: true },
    { name: "account", key: { account_id: 1, _id: 1 } },
  ],
  projects: [{ name: "account", key: { account_id: 1, _id: -1 } }],
  codes: [
    { name: "slug", key: { slug: 1 }, unique: true },
    { name: "list", key: { account_id: 1, ...listEnd } },
    { name: "list_project", key: { account_id: 1, project_id: 1, ...listEnd } },
    { name: "list_type", key: { account_id: 1, type: 1, ...listEnd } },
    { name: "list_project_type", key: { account_id: 1, project_id: 1, type: 1, ...listEnd } },
    { name: "rendering", key: { rendering: 1, _id: 1 }, partialFilterExpression: { rendering: true } },
  ],
  answers: [{ name: "expiry", key: { expires_at: 1 } }],
  users: [
    { name: "email", key: { email: 1 }, unique: true },
    { name: "account", key: { account_id: 1, _id: 1 } },
  ],
  sessions: [{ name: "expiry", key: { expires_at: 1 } }],
};

const withoutIndex = ["accounts", "files", "scan_counts", "secrets", "ownership", "fences"];

/**
 * An index of a large collection takes longer to build than a connection waits. The build goes on meanwhile, and whoever asks
 * for it again waits for the same one.
 */
export async function prepareCollections(db: Db, repeated: (cause: Error) => void): Promise<void> {
  for (const end = performance.now() + preparationMsMax; ; ) {
    try {
      return await createCollections(db);
    } catch (error) {
      if (!(error instanceof MongoNetworkError) || performance.now() > end) throw asStoreError(error);
      repeated(asStoreError(error));
    }
  }
}

/** May be repeated: what is there already is left alone. */
async function createCollections(db: Db): Promise<void> {
  const there = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  const missing = withoutIndex.filter((name) => !there.has(name));
  await Promise.all(missing.map((name) => db.createCollection(name).catch(ignoreExisting)));
  await nameTimes(db);
  for (const [name, described] of Object.entries(indexes)) await db.collection(name).createIndexes(described);
}

/** Hours of earlier versions do not say apart when they began, which is what they are cleared away by. */
async function nameTimes(db: Db): Promise<void> {
  const begin = { $toLong: { $arrayElemAt: [{ $split: ["$_id", "/"] }, 1] } };
  await db.collection<Stored>("scan_hours").updateMany({ at: null }, [{ $set: { at: begin } }]);
}

function ignoreExisting(error: { code?: number }): void {
  const namespaceExists = 48;
  if (error.code !== namespaceExists) throw error;
}
