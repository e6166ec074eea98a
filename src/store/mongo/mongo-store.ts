/**
 * The store on MongoDB.
 *
 * A commit is one multi-document transaction behind the fence (`fence.ts`), acknowledged by a majority
 * and journaled. Reads go to the primary and see only what a majority has. When MongoDB does not answer in
 * time the caller gets `StoreUnavailable`, and the fence sees to it that the next read tells the truth.
 */
import { randomBytes } from "node:crypto";
import {
  type Abortable,
  type AnyBulkWriteOperation,
  Binary,
  type ClientSession,
  type Filter,
  type FindOptions,
  type Sort,
} from "mongodb";
import { idOfTime } from "../../domain/analytics/link-scans.ts";
import type { CodeDoc, ScanDayDoc } from "../../domain/documents.ts";
import { expiredStep, labelSearchMsMax, readMsMax } from "../../limits.ts";
import type { SharedStore } from "../deputies.ts";
import type { AssertDocument } from "../document-version.ts";
import type { Ownership } from "../ownership.ts";
import type { Membership } from "../scan-parts.ts";
import {
  Cancelled,
  type CodeOrder,
  type CodeQuery,
  type Collection,
  type Collections,
  type Page,
  placeOf,
  type Store,
  StoreUnavailable,
  sumsByTotals,
  UniqueViolation,
  type WholeStore,
  type Write,
} from "../store.ts";
import { asStoreError, type Connection, within } from "./client.ts";
import {
  documentMapping,
  listIndexOf,
  prepareCollections,
  type Stored,
  timeFromStored,
} from "./documents.ts";
import { openFenceOf, takeNumber } from "./epochs.ts";
import { openFence, type Writing } from "./fence.ts";
import { closeFenceOf, type FenceDoc, fencesIn } from "./fence-document.ts";
import { openLookup } from "./lookup.ts";
import { openParts } from "./parts.ts";
import { addTotals, adoptScans, clearScans, hourOf, hoursBehind, hoursOf, saveParts } from "./scans.ts";
import { countedCodes, countsBehind, openCounts, totalOf } from "./sums.ts";

export interface MongoStoreOptions {
  connection: Connection;
  assertDocument: AssertDocument;
  ownership: Ownership;
  /** Collections and indexes are asked for once more: a start may wait for them for as long as a minute. */
  preparedAgain?(cause: Error): void;
}

/** Other processes may use the same database. */
export interface MongoStore extends WholeStore, SharedStore {
  readonly membership: Membership;
}

/** Makes what the database lacks. The connection may be shared with the lease; closing the store closes it. */
export async function openMongoStore({
  connection,
  assertDocument,
  ownership,
  preparedAgain = () => {},
}: MongoStoreOptions): Promise<MongoStore> {
  const { client, db } = connection;
  await prepareCollections(db, preparedAgain);
  const mapping = documentMapping(assertDocument);
  const fence = openFence(connection, ownership);
  const member = () => ownership.member() ?? 0;
  let closing: Promise<void> | null = null;

  const stored = (collection: string) => db.collection<Stored>(collection);
  const lookups = new Map<string, (key: string) => Promise<Stored | null>>();

  function lookUp(collection: string, field: string, key: string): Promise<Stored | null> {
    const name = `${collection}.${field}`;
    let find = lookups.get(name);
    if (find === undefined) {
      find = openLookup(stored(collection), field);
      lookups.set(name, find);
    }
    return find(key);
  }

  function refuseClosed(): void {
    if (closing !== null) throw new StoreUnavailable("The store is closed.");
  }

  async function reading<T>(run: () => Promise<T>, ms = readMsMax): Promise<T> {
    refuseClosed();
    try {
      await fence.settled();
      return await within(ms, run());
    } catch (error) {
      throw asStoreError(error);
    }
  }

  async function writing(what: Writing, run: (session: ClientSession) => Promise<void>): Promise<void> {
    refuseClosed();
    await fence.transaction(what, run);
  }

  async function one<C extends Collection>(
    collection: C,
    field: string,
    key: string,
  ): Promise<Collections[C] | null> {
    const found = await lookUp(collection, field, key);
    return found === null ? null : mapping.fromStored(collection, found);
  }

  async function many<C extends Collection>(
    collection: C,
    filter: Filter<Stored>,
    options: FindOptions & Abortable,
  ) {
    const found = stored(collection).find(filter, { maxTimeMS: readMsMax, batchSize: 1_000, ...options });
    return (await found.toArray()).map((item) => mapping.fromStored(collection, item));
  }

  async function page<C extends Collection>(
    collection: C,
    filter: Filter<Stored>,
    { limit, before }: { limit: number; before: string | null },
    options: FindOptions & Abortable = {},
  ): Promise<Page<Collections[C]>> {
    const older = before === null ? filter : { ...filter, _id: { $lt: before } };
    const items = await many(collection, older, { ...options, sort: { _id: -1 }, limit: limit + 1 });
    return { items: items.slice(0, limit), more: items.length > limit };
  }

  async function days(filter: Filter<Stored>, limit: number): Promise<ScanDayDoc[]> {
    const found = await stored("scan_days").find(filter, steps(limit)).toArray();
    return found.map((item) => timeFromStored<ScanDayDoc>("scan_days", item));
  }

  async function pageInOrder(
    { order, before, limit }: CodeQuery & { order: CodeOrder },
    filter: Filter<Stored>,
    options: FindOptions & Abortable,
  ): Promise<Page<CodeDoc>> {
    const sort: Sort = order === "label" ? { label_lower: 1, _id: 1 } : { _id: 1 };
    const behindPlace = before === null ? {} : { $and: [behindOf(order, before)] };
    const items = await many("codes", { ...filter, ...behindPlace }, { ...options, sort, limit: limit + 1 });
    return { items: items.slice(0, limit), more: items.length > limit };
  }

  const scanTotals: Store["scanTotals"] = async (owners, stretch, add) => {
    const reads = owners.map((of, place) =>
      reading(() => addTotals(db, of, stretch, (...totals) => add(place, ...totals))),
    );
    await Promise.all(reads);
  };

  /**
   * Removals first: a slug that is freed can be taken in the same batch. Then what is new, since MongoDB takes operations
   * of one kind together; to insert is less work for it than to look for what it shall replace.
   */
  function operationsOf(writes: readonly Write[]): Map<Collection, AnyBulkWriteOperation<Stored>[]> {
    const kinds = new Map<
      Collection,
      Record<"removed" | "added" | "replaced", AnyBulkWriteOperation<Stored>[]>
    >();
    for (const write of writes) {
      const { collection } = write;
      const of = kinds.get(collection) ?? { removed: [], added: [], replaced: [] };
      kinds.set(collection, of);
      if ("remove" in write) of.removed.push({ deleteOne: { filter: { _id: write.remove } } });
      else {
        const document = mapping.toStored(collection, write.put);
        const { _id, ...replacement } = document;
        if (write.isNew) of.added.push({ insertOne: { document } });
        else of.replaced.push({ replaceOne: { filter: { _id }, replacement, upsert: true } });
      }
    }
    return new Map(
      [...kinds].map(([collection, { removed, added, replaced }]) => [
        collection,
        [...removed, ...added, ...replaced],
      ]),
    );
  }

  const scanWriting = { db, reading, writing };
  const counts = openCounts(db);

  return {
    membership: {
      get epoch() {
        return member();
      },
      mayServe: () => ownership.mayServe(),
    },
    deputies: {
      async appoint() {
        const under = ownership.epoch();
        if (under === null) throw new StoreUnavailable("This process does not own the accounts.");
        const number = await reading(() => takeNumber(connection, under));
        const fence: FenceDoc = { ...openFenceOf(number), counts: false, under };
        await writing("documents", async (session) => {
          await fencesIn(connection).insertOne(fence, { session });
        });
        return number;
      },
      dismiss: (epoch) => reading(() => closeFenceOf(connection, epoch, { closed: true, finished: true })),
    },
    parts: openParts(connection, scanWriting, () => ownership.epoch() !== null && !ownership.isDeputy?.()),

    get: (collection, id) => reading(() => one(collection, "_id", id)),

    codeAtHand: () => undefined,

    async commit(writes) {
      const operations = operationsOf(writes);
      if (operations.size === 0) return;
      await writing("documents", async (session) => {
        for (const [collection, list] of operations) {
          await stored(collection).bulkWrite(list, { session, ordered: true });
        }
      });
    },

    keyByHash: (hash) => reading(() => one("keys", "hash", hash)),
    keysOf: (accountId) => reading(() => many("keys", { account_id: accountId }, { sort: { _id: 1 } })),
    codeBySlug: (slug) => reading(() => one("codes", "slug", slug)),
    isSlugFree: (slug) => reading(async () => (await lookUp("codes", "slug", slug)) === null),
    userByEmail: (email) => reading(() => one("users", "email", email)),
    usersOf: (accountId) => reading(() => many("users", { account_id: accountId }, { sort: { _id: 1 } })),

    async listCodes(query, signal) {
      refuseClosed();
      if (query.statuses.length === 0) return { items: [], more: false };
      const { account_id, project_id, type } = query;
      const needle = query.label_contains?.toLowerCase() ?? "";
      const filter: Filter<Stored> = {
        account_id,
        status: { $in: [...new Set(query.statuses)] },
        ...(project_id === null ? {} : { project_id }),
        ...(type === null ? {} : { type }),
        ...(needle === "" ? {} : { label_lower: { $regex: literally(needle) } }),
      };
      const { order = "newest" } = query;
      const isPlain = needle === "" && order === "newest";
      const ms = isPlain ? readMsMax : labelSearchMsMax;
      // The driver cancels by closing the connection, at which the server gives up: a plain page is not worth that.
      const cancel = isPlain ? undefined : signal;
      const options = { hint: listIndexOf(query), maxTimeMS: ms, signal: cancel };
      return reading(
        () =>
          order === "newest"
            ? page("codes", filter, query, options)
            : pageInOrder({ ...query, order }, filter, options),
        ms,
      ).catch((error: unknown) => {
        throw cancel?.aborted ? new Cancelled() : error;
      });
    },

    countedCodes: (query) => reading(() => countedCodes(db, query)),

    listProjects: (accountId, stretch) => reading(() => page("projects", { account_id: accountId }, stretch)),
    listAccounts: (stretch) => reading(() => page("accounts", {}, stretch)),

    walk: (collection, after, limit) =>
      reading(() => many(collection, behind(after), { sort: { _id: 1 }, limit })),

    pendingRenders: (after, limit) =>
      reading(() =>
        many("codes", { rendering: true, ...behind(after) }, { sort: { _id: 1 }, limit, hint: "rendering" }),
      ),

    scanCount: (slug) => reading(async () => totalOf(await counts(slug))),

    countedBy: (slug) =>
      reading(async () => {
        const found = await counts(slug);
        const own = found?.get(member()) ?? 0;
        return { own, others: totalOf(found) - own };
      }),

    async saveScans(scans, by) {
      if (scans.length === 0) return;
      await writing(by === "owner" ? "documents" : "counts", (session) =>
        saveParts(db, member(), scans, session),
      );
    },

    clearScans: (since) => clearScans(scanWriting, since),

    scanHour: (id) => reading(() => hourOf(db, id)),
    scanDay: (id) => reading(async () => (await days({ _id: id }, 1))[0] ?? null),
    adoptScans: (scans) => writing("documents", (session) => adoptScans(db, scans, session)),

    scanHours: (of, stretch, limit) => reading(() => hoursOf(db, of, stretch, limit)),
    scanDays: (of, { from, to }, limit) =>
      reading(() => days({ _id: { $gte: idOfTime(of, from), $lt: idOfTime(of, to) } }, limit)),

    scanTotals,
    scanSums: (of, stretch) => sumsByTotals({ scanTotals }, of, stretch),

    async removeExpired(collection, before) {
      let removed = 0;
      for (;;) {
        const ids = await reading(() =>
          many(collection, { expires_at: { $lt: before } }, { limit: expiredStep, hint: "expiry" }),
        );
        if (ids.length === 0) return removed;
        const expired = { _id: { $in: ids.map(({ id }) => id) }, expires_at: { $lt: before } };
        removed += (await reading(() => stored(collection).deleteMany(expired))).deletedCount;
      }
    },

    secret: (name) =>
      reading(async () => {
        const fresh = { v: 1, bytes: new Binary(randomBytes(32)) };
        const kept = await stored("secrets").findOneAndUpdate(
          { _id: name },
          { $setOnInsert: fresh },
          { upsert: true, returnDocument: "after", maxTimeMS: readMsMax },
        );
        return secretBytes(kept!.bytes);
      }),

    walkScanCounts: (after, limit) => reading(() => countsBehind(db, after ?? "", limit)),
    walkScanHours: (after, limit) => reading(() => hoursBehind(db, after, limit)),
    walkScanDays: (after, limit) => reading(() => days(behind(after), limit)),

    secrets: () =>
      reading(async () => {
        const found = await stored("secrets").find({}, { maxTimeMS: readMsMax }).toArray();
        return new Map(found.map(({ _id, bytes }) => [_id, secretBytes(bytes)]));
      }),

    async adoptSecret(name, bytes) {
      await writing("documents", async (session) => {
        const update = { $setOnInsert: { v: 1, bytes: new Binary(bytes) } };
        const found = await stored("secrets").findOneAndUpdate({ _id: name }, update, {
          session,
          upsert: true,
          returnDocument: "after",
        });
        if (Buffer.compare(secretBytes(found!.bytes), bytes) !== 0) {
          throw new UniqueViolation(`The store has another secret "${name}".`);
        }
      });
    },

    ping: () =>
      reading(async () => {
        await db.command({ ping: 1 });
        if (ownership.epoch() === null) throw new StoreUnavailable("Another process owns the accounts now.");
      }),

    close() {
      closing ??= client.close();
      return closing;
    },
  };
}

/** The pool of buffers behind a `Binary` may be longer than what it holds. */
function secretBytes(value: unknown): Uint8Array {
  const { buffer, position } = value as Binary;
  return new Uint8Array(buffer.subarray(0, position));
}

function steps(limit: number): FindOptions {
  return { sort: { _id: 1 }, limit, maxTimeMS: readMsMax, batchSize: 1_000 };
}

function behind(after: string | null): Filter<Stored> {
  return after === null ? {} : { _id: { $gt: after } };
}

function behindOf(order: CodeOrder, before: string): Filter<Stored> {
  const { id, label } = placeOf(order, before);
  if (order !== "label") return { _id: { $gt: id } };
  return { $or: [{ label_lower: { $gt: label } }, { label_lower: label, _id: { $gt: id } }] };
}

/** A pattern that matches the text itself. */
function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|#\s-]/g, "\\$&").replaceAll("\u0000", "\\x00");
}
