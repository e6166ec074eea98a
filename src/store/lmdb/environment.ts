/** The LMDB environment of a data folder: its databases and the options that make a commit durable. */
import { mkdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Database, open, type RootDatabaseOptions } from "lmdb";
import { ownerFileMode, ownerFolderMode } from "../../runtime/owner-only.ts";
import { type Collection, StoreUnavailable } from "../store.ts";
import type { IndexName } from "./lmdb-index.ts";
import { despiteMisreads } from "./misread.ts";

export type Bytes = Database<Uint8Array, string>;
export type Texts = Database<string, string>;

export interface Environment {
  documents: Record<Collection, Bytes>;
  indexes: Record<IndexName, Texts>;
  scanCounts: Texts;
  scanHours: Texts;
  scanDays: Texts;
  scanTotals: Texts;
  secrets: Bytes;
  /** The version of this arrangement of databases. */
  layout: Texts;
  /**
   * Runs `action` in a write transaction of its own, which is durable when the promise resolves. When
   * `action` throws, nothing of it is kept and the promise rejects with the same error.
   */
  transaction<T>(action: () => T): Promise<T>;
  /**
   * What `puts` puts and removes, all of it or nothing, durable when the promise resolves. A thread of the library does
   * it once `puts` has run: that may read what is committed only, and must not throw, since what it did until then stays.
   */
  write(puts: () => void): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Of new databases; one that is there keeps its own. A commit syncs some pages of each index wherever they lie in the file, and
 * how many those are costs more than how long they are: with twice the usual size trees are flatter, and more is created.
 * Four times the usual size gained less.
 */
const pageBytes = 8_192;
/** Only the first reservation of addresses: the library grows the map when data outgrows it. */
const mapBytesInitial = 16 * 1024 ** 3;
/**
 * With layout 1 no totals of hours were kept, with layout 2 without the sums before them. Both are taken as hours and days
 * alone: totals are added up anew as scans are saved, and a program that would not must not open this one. With layout 3
 * codes of every type were in a range of their own (see `lmdb-index.ts`): one that looks there must not open this one either.
 * With layout 4 every code that wants an image was in an index (see `undrawn.ts`): those that are would not be found to be all.
 */
const layoutVersion = "5";
const layoutsWithoutTotals = ["1", "2"];
const layoutsBefore = [...layoutsWithoutTotals, "3", "4"];
/** Options that the library has and its types leave out. */
const untyped = {
  permissionsMode: ownerFileMode,
  // Writes that belong together are begun when all of them are there, however many.
  batchStartThreshold: Number.MAX_SAFE_INTEGER,
} as RootDatabaseOptions;

export function openEnvironment(path: string, mapSize = mapBytesInitial): Environment {
  mkdirSync(path, { recursive: true, mode: ownerFolderMode });
  const root = open<string, string>({
    ...untyped,
    path,
    mapSize,
    maxDbs: 32,
    maxReaders: 126,
    encoding: "string",
    cache: false,
    noSubdir: false,
    pageSize: pageBytes,
    // A commit is synced before it is reported. The overlapping alternative reports first and its later
    // signal cannot say that the sync failed; group commit keeps the disk busy without it.
    overlappingSync: false,
    noSync: false,
    noMetaSync: false,
    useWritemap: false,
    // New pages are filled with zeroes: memory as it was found can hold what a visitor sent, and would be on the disk.
    noMemInit: false,
    commitDelay: 0,
    // Its batch has a promise of its own that nobody can handle: a failed commit would end the process.
    eventTurnBatching: false,
    // Images do not compress and documents are small.
    compression: false,
  });
  const bytes = (name: string): Bytes => root.openDB(name, { encoding: "binary", cache: false });
  const texts = (name: string): Texts => root.openDB(name, { encoding: "string", cache: false });
  const layout = texts("layout");
  const scanTotals = texts("scan_totals");
  if (layout.get("version") !== layoutVersion) {
    root.transactionSync(() => takeOverLayout(path, layout, scanTotals));
  }
  return {
    layout,
    documents: {
      accounts: bytes("accounts"),
      keys: bytes("keys"),
      projects: bytes("projects"),
      codes: bytes("codes"),
      answers: bytes("answers"),
      files: bytes("files"),
      users: bytes("users"),
      sessions: bytes("sessions"),
    },
    indexes: {
      key_hash: texts("key_hash"),
      code_slug: texts("code_slug"),
      account_keys: texts("account_keys"),
      account_projects: texts("account_projects"),
      code_list: texts("code_list"),
      code_rendering: texts("code_rendering"),
      answer_expiry: texts("answer_expiry"),
      user_email: texts("user_email"),
      account_users: texts("account_users"),
      session_expiry: texts("session_expiry"),
    },
    scanCounts: texts("scan_counts"),
    scanHours: texts("scan_hours"),
    scanDays: texts("scan_days"),
    scanTotals,
    secrets: bytes("secrets"),
    transaction: (action) => despiteMisreads(() => root.childTransaction(action), causeOf),
    write: (puts) => despiteMisreads(() => root.batch(puts), causeOf),
    close: () => root.close(),
  };
}

/**
 * The error of a failed commit says only that it failed; the reason is in a second promise that hangs on it,
 * and that would end the process if nobody handled it.
 */
async function causeOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { commitError?: Promise<unknown> };
  if (commitError === undefined) return error;
  return Promise.race([commitError.catch((cause: unknown) => cause), nextTurn(error)]);
}

function takeOverLayout(path: string, layout: Texts, scanTotals: Texts): void {
  const found = layout.get("version");
  if (found !== undefined && !layoutsBefore.includes(found)) {
    throw new StoreUnavailable(
      `The data in ${path} has layout ${found}; this program knows layout ${layoutVersion}.`,
    );
  }
  if (found === undefined || layoutsWithoutTotals.includes(found)) scanTotals.clearSync();
  layout.putSync("version", layoutVersion);
}
