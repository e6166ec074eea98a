/** A store taken apart for a copy: every collection, the scan counts, hours and days, each read and written alike. */
import { scansIn } from "../../domain/analytics/tally.ts";
import type { ScanCount, ScanDayDoc, ScanHourDoc } from "../../domain/documents.ts";
import { collections } from "../../schema/validators.ts";
import type { Collection, Document, WholeStore, Write } from "../../store/store.ts";

export interface Part<T> {
  name: string;
  key(item: T): string;
  /** In the order of keys, in steps. */
  walk(store: WholeStore, after: string | null, limit: number): Promise<T[]>;
  read(store: WholeStore, key: string): Promise<T | null>;
  write(store: WholeStore, items: T[]): Promise<void>;
  /** Whether a copy may put `ours` in the place of `theirs`. */
  mayReplace(theirs: T, ours: T): boolean;
}

function collectionPart(collection: Collection): Part<Document> {
  return {
    name: collection,
    key: ({ id }) => id,
    walk: (store, after, limit) => store.walk(collection, after, limit),
    read: (store, id) => store.get(collection, id),
    write: (store, items) => store.commit(items.map((put) => ({ collection, put }) as Write)),
    mayReplace: (theirs, ours) => fingerprintText(theirs) === fingerprintText(ours),
  };
}

const scanCountPart: Part<ScanCount> = {
  name: "scan counts",
  key: ({ slug }) => slug,
  walk: (store, after, limit) => store.walkScanCounts(after, limit),
  read: async (store, slug) => ({ slug, count: await store.scanCount(slug) }),
  write: (store, counts) => store.adoptScans({ counts }),
  mayReplace: (theirs, ours) => theirs.count <= ours.count,
};

const scanHourPart: Part<ScanHourDoc> = {
  name: "scan hours",
  key: ({ id }) => id,
  walk: (store, after, limit) => store.walkScanHours(after, limit),
  read: (store, id) => store.scanHour(id),
  write: (store, hours) => store.adoptScans({ hours }),
  mayReplace: (theirs, ours) => scansIn(theirs) <= scansIn(ours),
};

const scanDayPart: Part<ScanDayDoc> = {
  name: "scan days",
  key: ({ id }) => id,
  walk: (store, after, limit) => store.walkScanDays(after, limit),
  read: (store, id) => store.scanDay(id),
  write: (store, days) => store.adoptScans({ days }),
  mayReplace: (theirs, ours) => scansIn(theirs) <= scansIn(ours),
};

/** Codes before scans, and accounts first: a copy that was cut short holds nothing that hangs in the air. */
export const parts = [
  ...collections.map(collectionPart),
  scanCountPart,
  scanHourPart,
  scanDayPart,
] as Part<unknown>[];

/** The same text for equal items, whatever store they come from. */
export function fingerprintText(item: unknown): string {
  return JSON.stringify(item, (_, value) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
    if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
