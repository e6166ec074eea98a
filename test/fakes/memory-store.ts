/**
 * A store in memory with the behaviour of a real one, and faults on demand: it can be away, answer slowly, and
 * lose the answer to a write that it did.
 */

import type { LinkScans } from "../../src/domain/analytics/link-scans.ts";
import type {
  CodeDoc,
  Expiring,
  KeyDoc,
  ScanDayDoc,
  ScanHourDoc,
  UserDoc,
} from "../../src/domain/documents.ts";
import type { LinkCount, Membership, ScanParts } from "../../src/store/scan-parts.ts";
import {
  type AddTotalsAt,
  type ClearedScans,
  type CodeQuery,
  type Collection,
  type Collections,
  type CountedCode,
  type CountedQuery,
  type KeptSince,
  type Page,
  type ScanSums,
  type Store,
  StoreUnavailable,
  type Stretch,
  type TimeStretch,
  type Write,
} from "../../src/store/store.ts";
import { Database } from "./database.ts";

export class MemoryStore implements Store {
  /** Every call rejects. */
  isAway = false;
  /** Writes happen, and then reject. */
  losesAnswers = false;
  /** Runs before every call is answered; a test may wait in it. */
  beforeAnswer: (method: string, argument: unknown) => Promise<void> | void = () => {};
  /** Calls by method. */
  readonly calls = new Map<string, number>();
  readonly membership: Membership | null;

  readonly parts: ScanParts = {
    stored: (epoch, slugs) => this.#call("stored", slugs, () => this.#database.partsOf(epoch, slugs)),
    save: (epoch, scans) =>
      this.#write("save", scans, () => this.#database.saveScans(structuredClone(scans), epoch)),
    finish: (epoch) => this.#write("finish", epoch, () => epoch > 0 && this.#database.finish(epoch)),
    fold: async (now, folded) => folded(await this.#call("fold", now, () => this.#database.fold())),
    left: (present) =>
      this.#call("left", present, () => ({
        toFold: this.#database.unfolded,
        awaited: this.#database.awaited(present),
      })),
  };

  readonly #database: Database;
  readonly #epoch: number;
  readonly #secrets = new Map<string, Uint8Array>();

  /** With an epoch it is one that other processes use as well, each with a store of its own on the database. */
  constructor(epoch = 0, database = new Database()) {
    this.#epoch = epoch;
    this.#database = database;
    this.membership = epoch === 0 ? null : { epoch, mayServe: () => true };
  }

  /** The same database for its next owner. */
  next(): MemoryStore {
    return new MemoryStore(this.#epoch + 1, this.#database);
  }

  async #call<T>(method: string, argument: unknown, run: () => T): Promise<T> {
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
    if (this.isAway) throw new StoreUnavailable("The store is away.");
    // The value is taken first: what is written while an answer is on its way is not in it.
    const value = structuredClone(run());
    await this.beforeAnswer(method, argument);
    if (this.isAway) throw new StoreUnavailable("The store is away.");
    return value;
  }

  async #write(method: string, argument: unknown, run: () => unknown): Promise<void> {
    await this.#call(method, argument, run);
    if (this.losesAnswers) throw new StoreUnavailable("The answer was lost.");
  }

  get<C extends Collection>(collection: C, id: string): Promise<Collections[C] | null> {
    return this.#call("get", { collection, id }, () => this.#database.get(collection, id));
  }

  commit(writes: readonly Write[]): Promise<void> {
    return this.#write("commit", writes, () => this.#database.commit(structuredClone(writes)));
  }

  keyByHash(hash: string): Promise<KeyDoc | null> {
    return this.#call("keyByHash", hash, () => this.#database.keyByHash(hash));
  }

  keysOf(accountId: string): Promise<KeyDoc[]> {
    return this.#call("keysOf", accountId, () => this.#database.keysOf(accountId));
  }

  codeAtHand(): undefined {
    return undefined;
  }

  codeBySlug(slug: string): Promise<CodeDoc | null> {
    return this.#call("codeBySlug", slug, () => this.#database.codeBySlug(slug));
  }

  isSlugFree(slug: string): Promise<boolean> {
    return this.#call("isSlugFree", slug, () => this.#database.codeBySlug(slug) === null);
  }

  listCodes(query: CodeQuery): Promise<Page<CodeDoc>> {
    return this.#call("listCodes", query, () => this.#database.listCodes(query));
  }

  countedCodes(query: CountedQuery): Promise<Page<CountedCode>> {
    return this.#call("countedCodes", query, () => this.#database.countedCodes(query));
  }

  listProjects(accountId: string, stretch: Stretch): Promise<Page<Collections["projects"]>> {
    return this.#call("listProjects", stretch, () => this.#database.listProjects(accountId, stretch));
  }

  listAccounts(stretch: Stretch): Promise<Page<Collections["accounts"]>> {
    return this.#call("listAccounts", stretch, () => this.#database.listAccounts(stretch));
  }

  walk<C extends Collection>(collection: C, after: string | null, limit: number): Promise<Collections[C][]> {
    return this.#call("walk", { collection, after }, () => this.#database.walk(collection, after, limit));
  }

  pendingRenders(after: string | null, limit: number): Promise<CodeDoc[]> {
    return this.#call("pendingRenders", after, () => this.#database.pendingRenders(after, limit));
  }

  scanCount(slug: string): Promise<number> {
    return this.#call("scanCount", slug, () => this.#database.scanCount(slug));
  }

  countedBy(slug: string): Promise<LinkCount> {
    return this.#call("countedBy", slug, () => this.#database.countedBy(slug, this.#epoch));
  }

  /** Members whose parts wait to be folded. */
  get unfolded(): number {
    return this.#database.unfolded;
  }

  saveScans(scans: readonly LinkScans[]): Promise<void> {
    return this.#write("saveScans", scans, () => {
      this.#database.saveScans(structuredClone(scans), this.#epoch);
    });
  }

  clearScans(since: KeptSince): Promise<ClearedScans> {
    return this.#call("clearScans", since, () => this.#database.clearScans(since));
  }

  /** What an hour has, to look at in tests. */
  scanHour(id: string): ScanHourDoc | null {
    return this.#database.scanHour(id);
  }

  scanHours(of: string, stretch: TimeStretch, limit: number): Promise<ScanHourDoc[]> {
    return this.#call("scanHours", of, () => this.#database.scanHours(of, stretch, limit));
  }

  scanDays(of: string, stretch: TimeStretch, limit: number): Promise<ScanDayDoc[]> {
    return this.#call("scanDays", of, () => this.#database.scanDays(of, stretch, limit));
  }

  scanTotals(of: readonly string[], stretch: TimeStretch, add: AddTotalsAt): Promise<void> {
    return this.#call("scanTotals", of, () => this.#database.scanTotals(of, stretch, add));
  }

  scanSums(of: readonly string[], stretch: TimeStretch): Promise<ScanSums> {
    return this.#call("scanSums", of, () => this.#database.scanSums(of, stretch));
  }

  userByEmail(email: string): Promise<UserDoc | null> {
    return this.#call("userByEmail", email, () => this.#database.userByEmail(email));
  }

  usersOf(accountId: string): Promise<UserDoc[]> {
    return this.#call("usersOf", accountId, () => this.#database.usersOf(accountId));
  }

  removeExpired(collection: Expiring, before: number): Promise<number> {
    return this.#call("removeExpired", before, () => this.#database.removeExpired(collection, before));
  }

  secret(name: string): Promise<Uint8Array> {
    return this.#call("secret", name, () => {
      const secret = this.#secrets.get(name) ?? crypto.getRandomValues(new Uint8Array(32));
      this.#secrets.set(name, secret);
      return secret;
    });
  }

  ping(): Promise<void> {
    return this.#call("ping", null, () => {});
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
