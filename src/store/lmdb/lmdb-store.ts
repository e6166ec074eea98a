/**
 * The embedded store on LMDB.
 *
 * A commit reads what the batch replaces, checks uniqueness, and then hands documents and the difference of their
 * index entries to a thread of the library, so the loop waits neither for the tree nor for the disk; what it read stays
 * true because there is one change of documents at a time. Reads are
 * synchronous look-ups in the memory map and see only what is committed; those that pass many documents do so in
 * steps (`loop-share.ts`). Opening scans nothing.
 */

import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { keptUnder, type LinkScans } from "../../domain/analytics/link-scans.ts";
import {
  type CodeDoc,
  codeStatuses,
  type Expiring,
  type ScanDayDoc,
  type ScanHourDoc,
} from "../../domain/documents.ts";
import { expiredStep } from "../../limits.ts";
import { type AssertDocument, type DocumentText, UnreadableDocument } from "../document-version.ts";
import { partsOfOne } from "../scan-parts.ts";
import {
  Cancelled,
  type CodeQuery,
  type Collection,
  type Collections,
  noScans,
  type Page,
  StoreUnavailable,
  type Stretch,
  UniqueViolation,
  type WholeStore,
} from "../store.ts";
import { Alone } from "./alone.ts";
import { pageOfCodes, pageOfRecent } from "./code-list.ts";
import { entryChanges, hand, prepare } from "./commit.ts";
import { documentCoding, slugIn } from "./documents.ts";
import { openEnvironment } from "./environment.ts";
import { FreeSlugs } from "./free-slugs.ts";
import { expiredRange, type IndexName, idOfKey, rangeBehind, rangeOf, usableId } from "./lmdb-index.ts";
import { LoopShare, type Step } from "./loop-share.ts";
import { pageInOrder } from "./ordered-codes.ts";
import { RecentCodes } from "./recent-codes.ts";
import { RecentLists } from "./recent-lists.ts";
import { TotalsMissing } from "./scans/changing-totals.ts";
import { ownerOf } from "./scans/hour-totals.ts";
import { RecentCounts } from "./scans/recent-counts.ts";
import { StoredScans } from "./scans/stored-scans.ts";
import { Undrawn } from "./undrawn.ts";

export interface LmdbStoreOptions {
  /** The folder of the database; made when it is not there. */
  path: string;
  assertDocument: AssertDocument;
  documentText?: DocumentText;
  /** Bytes of address space reserved at first; tests make it small to see it grow. */
  mapSize?: number;
  /** New codes that have no entry in the index of what is to be drawn; tests make them few. */
  unlistedMax?: number;
}

export async function openLmdbStore(options: LmdbStoreOptions): Promise<WholeStore> {
  const environment = attempt(() => openEnvironment(options.path, options.mapSize));
  const { documents, indexes, secrets } = environment;
  const scans = new StoredScans(environment);
  const counts = new RecentCounts((slug) => attempt(() => scans.count(slug)));
  const coding = documentCoding(options.assertDocument, options.documentText ?? plainText);
  const recent = new RecentCodes();
  const lists = new RecentLists();
  const freeSlugs = new FreeSlugs(indexes.code_slug);
  const share = new LoopShare();
  const undrawn = new Undrawn({
    environment,
    load: (id) => readIndexed("codes", id, stored),
    alone: changeDocuments,
    unlistedMax: options.unlistedMax,
  });
  const scanChanges = new Alone();
  const documentChanges = new Alone();
  let closing: Promise<void> | null = null;

  function stored<C extends Collection>(collection: C, id: string): Collections[C] | null {
    const bytes = usableId(id) ? documents[collection].get(id) : undefined;
    return bytes === undefined ? null : coding.decode(collection, id, bytes);
  }

  function read<C extends Collection>(collection: C, id: string): Collections[C] | null {
    return collection === "codes" ? (readCode(id) as Collections[C] | null) : stored(collection, id);
  }

  function readCode(id: string): CodeDoc | null {
    const known = recent.get(id);
    if (known !== undefined) return known;
    const code = stored("codes", id);
    if (code !== null) recent.add(code);
    return code;
  }

  /** An index entry and its document are written together, so a document that is not there is corruption. */
  function readIndexed<C extends Collection>(collection: C, id: string, from = read<C>): Collections[C] {
    const doc = from(collection, id);
    if (doc === null) throw new UnreadableDocument(`${collection} "${id}" is in an index but is not stored`);
    return doc;
  }

  function stretchOf<C extends Collection>(
    collection: C,
    index: keyof typeof indexes,
    account: string,
    { before, limit }: Stretch,
  ): Page<Collections[C]> {
    const { from, to } = rangeOf(account);
    const keys = Array.from(
      indexes[index].getKeys({
        start: before === null ? to : from + before,
        end: from,
        reverse: true,
        exclusiveStart: true,
        limit: limit + 1,
      }),
    );
    return pageOf(keys, limit, (key) => readIndexed(collection, idOfKey(key)));
  }

  function removeExpiredStep(collection: Expiring, before: number): Promise<number> {
    const expiry = indexes[expiryIndex[collection]];
    const { from, to } = expiredRange(before);
    return changeDocuments(async () => {
      const keys = Array.from(expiry.getKeys({ start: from, end: to, limit: expiredStep }));
      if (keys.length === 0) return 0;
      await environment.write(() => {
        for (const key of keys) {
          documents[collection].remove(idOfKey(key));
          expiry.remove(key);
        }
      });
      return keys.length;
    });
  }

  /** Every document of an account that an index lists, in the order of ids. */
  function allOf<C extends "keys" | "users">(collection: C, accountId: string): Collections[C][] {
    const { from, to } = rangeOf(accountId);
    const keys = Array.from(indexes[`account_${collection}`].getKeys({ start: from, end: to }));
    return keys.map((key) => readIndexed(collection, idOfKey(key)));
  }

  function byUnique<C extends Collection>(
    collection: C,
    index: IndexName,
    key: string,
  ): Collections[C] | null {
    const id = usableId(key) ? indexes[index].get(key) : undefined;
    return id === undefined ? null : readIndexed(collection, id);
  }

  function refuseClosed(): void {
    if (closing !== null) throw new StoreUnavailable("The store is closed.");
  }

  function inSteps(step: Step, signal?: AbortSignal): Promise<void> {
    return share.walk((end) => {
      refuseClosed();
      return step(end);
    }, signal);
  }

  /** The documents of at most `limit` ids behind the given one, in the order of ids. */
  async function documentsOf<C extends Collection>(
    collection: C,
    after: string | null,
    limit: number,
  ): Promise<Collections[C][]> {
    const found: Collections[C][] = [];
    let last = after;
    await inSteps((end) => {
      for (const id of documents[collection].getKeys({ ...rangeBehind(last), limit: limit - found.length })) {
        // A walk passes everything once: it must not push out what is asked for.
        found.push(readIndexed(collection, id, stored));
        last = id;
        if (performance.now() >= end) return found.length === limit;
      }
      return true;
    });
    return found;
  }

  async function newestCodes(query: CodeQuery, signal: AbortSignal | undefined): Promise<Page<CodeDoc>> {
    const gathering = pageOfCodes(indexes.code_list, query, (id) => {
      const code = readIndexed("codes", id, stored);
      recent.add(code);
      return code;
    });
    await inSteps(gathering.step, signal);
    return gathering.page;
  }

  /** Runs a method while the store is open; what LMDB throws becomes `StoreUnavailable`. */
  async function whileOpen<T>(run: () => T | Promise<T>): Promise<T> {
    refuseClosed();
    try {
      return await run();
    } catch (error) {
      throw asStoreError(error);
    }
  }

  /** One after the other: each is decided on what is committed. */
  function changeDocuments<T>(change: () => Promise<T>): Promise<T> {
    return whileOpen(() =>
      documentChanges.alone(() => {
        refuseClosed();
        return change();
      }),
    );
  }

  /** Changes scans of these links and owners in one transaction; with those of an earlier layout there is something to do first. */
  async function changeScans(
    links: readonly { slug: string }[],
    owners: () => Iterable<string>,
    change: () => void,
  ): Promise<void> {
    for (;;) {
      try {
        await scanChanges.beside(() => environment.transaction(change));
        return;
      } catch (error) {
        if (!(error instanceof TotalsMissing)) throw error;
      } finally {
        counts.changed(links);
      }
      await scanChanges.alone(async () => {
        for (const of of new Set(owners())) await completeTotals(of);
      });
    }
  }

  /** In steps, since an owner may have thousands of hours. */
  async function completeTotals(of: string): Promise<void> {
    if (scans.totals.has(of)) return;
    const completing = scans.totals.completing(of);
    await inSteps(completing.step);
    await environment.transaction(completing.put);
  }

  function saveScans(saved: readonly LinkScans[]): Promise<void> {
    return whileOpen(async () => {
      if (saved.length === 0) return;
      await changeScans(
        saved,
        () => saved.flatMap(keptUnder),
        () => scans.save(saved),
      );
    });
  }

  return {
    get: (collection, id) => whileOpen(() => read(collection, id)),

    codeAtHand: (id) => (closing === null ? recent.get(id) : undefined),

    async commit(writes) {
      const prepared = writes.map((write) => prepare(write, coding));
      if (prepared.length === 0) return;
      lists.begins(writes);
      try {
        await changeDocuments(async () => {
          const undrawnFrom = undrawn.placeWith(writes);
          const changes = entryChanges(prepared, environment, read, undrawnFrom, freeSlugs);
          try {
            await environment.write(() => {
              hand(prepared, changes, environment);
              undrawn.put(undrawnFrom);
            });
          } catch (cause) {
            recent.uncertain(writes);
            throw cause;
          } finally {
            freeSlugs.written(writes);
          }
          recent.committed(writes);
          undrawn.committed(writes, undrawnFrom);
        });
      } finally {
        lists.ends(writes);
      }
    },

    keyByHash: (hash) => whileOpen(() => byUnique("keys", "key_hash", hash)),
    keysOf: (accountId) => whileOpen(() => allOf("keys", accountId)),
    codeBySlug(slug) {
      refuseClosed();
      return attempt(() => byUnique("codes", "code_slug", slug));
    },
    isSlugFree(slug) {
      refuseClosed();
      return attempt(() => !usableId(slug) || freeSlugs.ask(slug));
    },
    userByEmail: (email) => whileOpen(() => byUnique("users", "user_email", email)),
    usersOf: (accountId) => whileOpen(() => allOf("users", accountId)),

    listCodes: (query, signal) =>
      whileOpen(async () => {
        const { order = "newest" } = query;
        if (order !== "newest") {
          const gathering = pageInOrder(indexes.code_list, { ...query, order }, (id) => stored("codes", id));
          await inSteps(gathering.step, signal);
          return gathering.page;
        }
        if (query.label_contains !== null) return newestCodes(query, signal);
        const known = lists.get(query);
        if (known !== undefined) return known;
        const { changes } = lists;
        let page: Page<CodeDoc> | null = null;
        await inSteps(() => {
          page = pageOfRecent(indexes.code_list, query, (id) => recent.get(id));
          return true;
        });
        page ??= await newestCodes(query, signal);
        lists.add(query, page, changes);
        return page;
      }),

    countedCodes: (query) =>
      whileOpen(async () => {
        const ofAll = { ...query, statuses: codeStatuses, type: null, label_contains: null };
        const gathering = pageOfCodes(indexes.code_list, ofAll, (id, listed) => {
          const slug = listed ?? slugIn(id, documents.codes.getBinaryFast(id));
          return { id, slug, count: scans.count(slug) };
        });
        await inSteps(gathering.step);
        return gathering.page;
      }),

    listProjects: (accountId, stretch) =>
      whileOpen(() => stretchOf("projects", "account_projects", accountId, stretch)),

    listAccounts: ({ before, limit }) =>
      whileOpen(() => {
        const keys = Array.from(
          documents.accounts.getKeys({
            ...(before === null ? {} : { start: before, exclusiveStart: true }),
            reverse: true,
            limit: limit + 1,
          }),
        );
        return pageOf(keys, limit, (id) => readIndexed("accounts", id));
      }),

    walk: (collection, after, limit) => whileOpen(() => documentsOf(collection, after, limit)),

    pendingRenders: (after, limit) =>
      whileOpen(async () => {
        const finding = undrawn.finding(after, limit);
        await inSteps(finding.step);
        return finding.found;
      }),

    scanCount(slug) {
      refuseClosed();
      return counts.of(slug);
    },
    countedBy: (slug) => whileOpen(() => ({ own: scans.count(slug), others: 0 })),
    saveScans,

    clearScans: (since, from) =>
      whileOpen(async () => {
        const slice = scans.nextToClear(since, from);
        if (slice.isThere) {
          await scanChanges.beside(() => environment.transaction(() => scans.clear(slice)));
        }
        return { of: slice.of, next: slice.next };
      }),

    parts: partsOfOne((slug) => whileOpen(() => scans.count(slug)), saveScans),
    membership: null,

    scanHours: (of, stretch, limit) =>
      whileOpen(async () => {
        const found: ScanHourDoc[] = [];
        await inSteps(scans.hours.reading(of, stretch, limit, found));
        return found;
      }),

    scanDays: (of, stretch, limit) =>
      whileOpen(async () => {
        const found: ScanDayDoc[] = [];
        await inSteps(scans.days.reading(of, stretch, limit, found));
        return found;
      }),

    scanTotals: (of, stretch, add) => whileOpen(() => inSteps(scans.totals.reading(of, stretch, add))),

    scanSums: (of, stretch) =>
      whileOpen(async () => {
        const sums = noScans(of.length);
        await inSteps(scans.totals.summing(of, stretch, sums));
        return sums;
      }),

    removeExpired: (collection, before) =>
      whileOpen(async () => {
        let removed = 0;
        for (let step = -1; step !== 0; removed += step) {
          step = await removeExpiredStep(collection, before);
          await nextTurn();
        }
        return removed;
      }),

    secret: (name) =>
      whileOpen(() =>
        environment.transaction(() => {
          const stored = secrets.get(name);
          if (stored !== undefined) return new Uint8Array(stored);
          const fresh = new Uint8Array(randomBytes(32));
          secrets.put(name, fresh);
          return fresh;
        }),
      ),

    walkScanCounts: (after, limit) => whileOpen(() => scans.walkCounts(after, limit)),
    walkScanHours: (after, limit) => whileOpen(() => scans.hours.walk(after, limit)),
    walkScanDays: (after, limit) => whileOpen(() => scans.days.walk(after, limit)),
    scanHour: (id) => whileOpen(() => scans.hours.get(id)),
    scanDay: (id) => whileOpen(() => scans.days.get(id)),
    adoptScans: (adopted) =>
      whileOpen(() =>
        changeScans(
          adopted.counts ?? [],
          () => [...(adopted.hours ?? []), ...(adopted.days ?? [])].map(({ id }) => ownerOf(id)),
          () => scans.adopt(adopted),
        ),
      ),

    secrets: () =>
      whileOpen(() => {
        const entries = Array.from(secrets.getRange({}));
        return new Map(entries.map(({ key, value }) => [key, new Uint8Array(value)]));
      }),

    adoptSecret: (name, bytes) =>
      whileOpen(() =>
        environment.transaction(() => {
          const stored = secrets.get(name);
          if (stored === undefined) secrets.put(name, bytes);
          else if (Buffer.compare(stored, bytes) !== 0) throw new UniqueViolation(otherSecret(name));
        }),
      ),

    ping: () => whileOpen(() => void secrets.doesExist("ping")),

    close() {
      closing ??= environment.close();
      return closing;
    },
  };
}

const plainText: DocumentText = (_collection, doc) => JSON.stringify(doc);

const expiryIndex = { answers: "answer_expiry", sessions: "session_expiry" } as const;

function otherSecret(name: string): string {
  return `The store has another secret "${name}".`;
}

/** `keys` holds one more than the limit when more follow. */
function pageOf<K, T>(keys: K[], limit: number, load: (key: K) => T): Page<T> {
  return { items: keys.slice(0, limit).map(load), more: keys.length > limit };
}

function asStoreError(error: unknown): unknown {
  if (error instanceof UniqueViolation || error instanceof UnreadableDocument) return error;
  if (error instanceof StoreUnavailable || error instanceof Cancelled) return error;
  if (error instanceof RangeError) return error;
  return new StoreUnavailable(`The embedded store failed: ${(error as Error).message}`, { cause: error });
}

function attempt<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw asStoreError(error);
  }
}
