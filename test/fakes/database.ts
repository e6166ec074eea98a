/**
 * A database in memory. It outlives every process, answers at once, and keeps the rules of a real one: commits
 * are all or nothing, slugs, key hashes and e-mails are unique, the parts of counts only rise.
 *
 * Documents are handed out as they are, frozen: the service treats them as values, and would be found out.
 */
import {
  added,
  beginOf,
  ChangedHours,
  keptUnder,
  type LinkScans,
} from "../../src/domain/analytics/link-scans.ts";
import { dayIdOf, withHour } from "../../src/domain/analytics/roll-up.ts";
import { type AddTotals, addTotalsOfDay, addTotalsOfHour } from "../../src/domain/analytics/tally.ts";
import {
  type CodeDoc,
  codeStatuses,
  type Document,
  type Expiring,
  type KeyDoc,
  type ScanDayDoc,
  type ScanHourDoc,
  type UserDoc,
} from "../../src/domain/documents.ts";
import type { LinkCount } from "../../src/store/scan-parts.ts";
import {
  type AddTotalsAt,
  type ClearedScans,
  type CodeQuery,
  type Collection,
  type Collections,
  type CountedCode,
  type CountedQuery,
  type KeptSince,
  noScans,
  type Page,
  type ScanSums,
  type Stretch,
  type TimeStretch,
  UniqueViolation,
  type Write,
} from "../../src/store/store.ts";

export interface DatabaseFaults {
  /** A save that comes again is added to the hours again. */
  addsHoursTwice?: boolean;
  /** A part that is folded stays, and is folded again. */
  keepsFoldedParts?: boolean;
  /** A part becomes what was saved last, and not the most. */
  lowersParts?: boolean;
  /** What comes again of a finished member is one more part. */
  takesPartsOfFinished?: boolean;
}

type Tables = { [C in Collection]: Map<string, Collections[C]> };

export class Database {
  readonly #tables: Tables = {
    accounts: new Map(),
    keys: new Map(),
    projects: new Map(),
    codes: new Map(),
    answers: new Map(),
    files: new Map(),
    users: new Map(),
    sessions: new Map(),
  };
  /** Slugs, key hashes and e-mails, to the documents that have them: no two kinds of them are ever equal. */
  readonly #holders = new Map<string, string>();
  /** Of each link, by the epoch of who counted; under 0 what finished members did. */
  readonly #counts = new Map<string, Map<number, number>>();
  readonly #finished = new Set<number>();
  readonly #hours = new Map<string, ScanHourDoc>();
  readonly #days = new Map<string, ScanDayDoc>();

  get<C extends Collection>(collection: C, id: string): Collections[C] | null {
    return this.#tables[collection].get(id) ?? null;
  }

  /** All documents of a collection in the order of ids. */
  all<C extends Collection>(collection: C): Collections[C][] {
    return [...this.#tables[collection].values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  commit(writes: readonly Write[]): void {
    const taken = new Map<string, string>();
    for (const write of writes) {
      if (!("put" in write)) continue;
      const { put } = write;
      const unique = uniqueOf(put);
      if (unique === null) continue;
      const holder = taken.get(unique) ?? this.#holders.get(unique);
      const isFreed = writes.some((other) => "remove" in other && other.remove === holder);
      if (holder !== undefined && holder !== put.id && !isFreed)
        throw new UniqueViolation(`${unique} is taken`);
      taken.set(unique, put.id);
    }
    const removalsFirst = [...writes].sort((a, b) => Number("put" in a) - Number("put" in b));
    for (const write of removalsFirst) this.#apply(write);
  }

  #apply(write: Write): void {
    const table = this.#tables[write.collection] as Map<string, Collections[Collection]>;
    const old = table.get("put" in write ? write.put.id : write.remove);
    const freed = old && uniqueOf(old);
    if (freed) this.#holders.delete(freed);
    if (!("put" in write)) {
      table.delete(write.remove);
      return;
    }
    const { put } = write;
    const unique = uniqueOf(put);
    if (unique !== null) this.#holders.set(unique, put.id);
    table.set(put.id, frozen(put));
  }

  keyByHash(hash: string): KeyDoc | null {
    return this.get("keys", this.#holders.get(hash) ?? "");
  }

  keysOf(accountId: string): KeyDoc[] {
    return this.all("keys").filter((key) => key.account_id === accountId);
  }

  codeBySlug(slug: string): CodeDoc | null {
    return this.get("codes", this.#holders.get(slug) ?? "");
  }

  userByEmail(email: string): UserDoc | null {
    return this.get("users", this.#holders.get(email) ?? "");
  }

  usersOf(accountId: string): UserDoc[] {
    return this.all("users").filter((user) => user.account_id === accountId);
  }

  listCodes(query: CodeQuery): Page<CodeDoc> {
    if (query.order !== undefined && query.order !== "newest") throw new Error("in no other order");
    const label = query.label_contains?.toLowerCase() ?? "";
    return this.#page("codes", query, (code) => {
      return (
        code.account_id === query.account_id &&
        (query.project_id === null || code.project_id === query.project_id) &&
        query.statuses.includes(code.status) &&
        (query.type === null || code.type === query.type) &&
        code.label.toLowerCase().includes(label)
      );
    });
  }

  countedCodes(query: CountedQuery): Page<CountedCode> {
    const ofAll = { ...query, statuses: codeStatuses, type: null, label_contains: null };
    const { items, more } = this.listCodes(ofAll);
    return { items: items.map(({ id, slug }) => ({ id, slug, count: this.scanCount(slug) })), more };
  }

  listProjects(accountId: string, stretch: Stretch): Page<Collections["projects"]> {
    return this.#page("projects", stretch, (project) => project.account_id === accountId);
  }

  listAccounts(stretch: Stretch): Page<Collections["accounts"]> {
    return this.#page("accounts", stretch, () => true);
  }

  #page<C extends Collection>(
    collection: C,
    { before, limit }: Stretch,
    matches: (doc: Collections[C]) => boolean,
  ): Page<Collections[C]> {
    const found = this.all(collection)
      .reverse()
      .filter((doc) => (before === null || doc.id < before) && matches(doc));
    return { items: found.slice(0, limit), more: found.length > limit };
  }

  walk<C extends Collection>(collection: C, after: string | null, limit: number): Collections[C][] {
    return this.all(collection)
      .filter((doc) => after === null || doc.id > after)
      .slice(0, limit);
  }

  pendingRenders(after: string | null, limit: number): CodeDoc[] {
    return this.walk("codes", after, this.#tables.codes.size)
      .filter(({ render }) => render.status === "pending" || render.status === "staging")
      .slice(0, limit);
  }

  scanCount(slug: string): number {
    return [...(this.#counts.get(slug)?.values() ?? [])].reduce((all, count) => all + count, 0);
  }

  countedBy(slug: string, epoch: number): LinkCount {
    const own = this.#part(slug, epoch);
    return { own, others: this.scanCount(slug) - own };
  }

  /** Mistakes on purpose. */
  readonly faults: DatabaseFaults = {};

  /** What a member counted; with epoch 0 the only one that there is. */
  saveScans(scans: readonly LinkScans[], epoch = 0): void {
    if (this.#isShut(epoch)) return;
    for (const link of scans) {
      const stored = this.#part(link.slug, epoch);
      if (link.count <= stored && this.faults.addsHoursTwice) this.#addHours(link);
      if (link.count === stored || (link.count < stored && !this.faults.lowersParts)) continue;
      this.#setPart(link.slug, epoch, link.count);
      this.#addHours({ ...link, seen: added(link, stored) });
    }
  }

  #isShut(epoch: number): boolean {
    return this.#finished.has(epoch) && !this.faults.takesPartsOfFinished;
  }

  #part(slug: string, epoch: number): number {
    return this.#counts.get(slug)?.get(epoch) ?? 0;
  }

  #setPart(slug: string, epoch: number, count: number): void {
    const ofLink = this.#counts.get(slug) ?? new Map<number, number>();
    this.#counts.set(slug, ofLink.set(epoch, count));
  }

  /** What a member counted of these links; null when it is finished. */
  partsOf(epoch: number, slugs: readonly string[]): number[] | null {
    return this.#isShut(epoch) ? null : slugs.map((slug) => this.#part(slug, epoch));
  }

  finish(epoch: number): void {
    this.#finished.add(epoch);
  }

  /** Members that are finished and whose parts are not folded yet. */
  get unfolded(): number {
    const epochs = [...this.#counts.values()].flatMap((ofLink) => [...ofLink.keys()]);
    return new Set(epochs.filter((epoch) => this.#finished.has(epoch))).size;
  }

  /** Members that counted something, are not among these, and may have more. */
  awaited(present: readonly number[]): number {
    const epochs = new Set([...this.#counts.values()].flatMap((parts) => [...parts.keys()]));
    const isAwaited = (epoch: number) => epoch > 0 && !this.#finished.has(epoch) && !present.includes(epoch);
    return [...epochs].filter(isAwaited).length;
  }

  /** The links whose parts were folded. */
  fold(): string[] {
    const folded = new Set<string>();
    for (const [slug, ofLink] of this.#counts) {
      for (const [epoch, count] of ofLink) {
        if (!this.#finished.has(epoch)) continue;
        ofLink.set(0, (ofLink.get(0) ?? 0) + count);
        if (!this.faults.keepsFoldedParts) ofLink.delete(epoch);
        folded.add(slug);
      }
    }
    return [...folded];
  }

  #addHours(link: Pick<LinkScans, "slug" | "owner" | "seen">): void {
    const changed = new ChangedHours((id) => structuredClone(this.#hours.get(id) ?? null));
    for (const of of keptUnder(link)) changed.add(of, link.seen);
    for (const hour of changed.all()) this.#hours.set(hour.id, frozen(hour));
  }

  clearScans(since: KeptSince): ClearedScans {
    const of = new Set<string>();
    for (const hour of this.#hours.values()) {
      if (beginOf(hour) >= since.hours) continue;
      const id = dayIdOf(hour);
      this.#days.set(id, frozen(withHour(this.#days.get(id) ?? null, hour)));
      this.#hours.delete(hour.id);
      of.add(hour.id.slice(0, hour.id.lastIndexOf("/")));
    }
    for (const day of this.#days.values()) if (beginOf(day) < since.days) this.#days.delete(day.id);
    return { of: [...of], next: null };
  }

  scanHour(id: string): ScanHourDoc | null {
    return this.#hours.get(id) ?? null;
  }

  scanHours(of: string, stretch: TimeStretch, limit: number): ScanHourDoc[] {
    return within(this.#hours, of, stretch).slice(0, limit);
  }

  scanDays(of: string, stretch: TimeStretch, limit: number): ScanDayDoc[] {
    return within(this.#days, of, stretch).slice(0, limit);
  }

  scanTotals(of: readonly string[], stretch: TimeStretch, add: AddTotalsAt): void {
    for (const [place, owner] of of.entries()) {
      const addHere: AddTotals = (...totals) => add(place, ...totals);
      for (const hour of within(this.#hours, owner, stretch)) addTotalsOfHour(hour, addHere);
      for (const day of within(this.#days, owner, stretch)) addTotalsOfDay(day, addHere);
    }
  }

  scanSums(of: readonly string[], stretch: TimeStretch): ScanSums {
    const sums = noScans(of.length);
    this.scanTotals(of, stretch, (place, _hour, people, robots) => {
      sums.people[place]! += people;
      sums.robots[place]! += robots;
    });
    return sums;
  }

  removeExpired(collection: Expiring, before: number): number {
    const expired = this.all(collection).filter((doc) => doc.expires_at < before);
    for (const { id } of expired) this.#tables[collection].delete(id);
    return expired.length;
  }
}

function uniqueOf(doc: Document): string | null {
  if ("slug" in doc) return doc.slug;
  if ("hash" in doc) return doc.hash;
  return "email" in doc ? doc.email : null;
}

function within<Doc extends { id: string }>(
  docs: ReadonlyMap<string, Doc>,
  of: string,
  { from, to }: TimeStretch,
): Doc[] {
  const isWithin = (doc: Doc) => doc.id.startsWith(`${of}/`) && beginOf(doc) >= from && beginOf(doc) < to;
  return [...docs.values()].filter(isWithin).sort((a, b) => beginOf(a) - beginOf(b));
}

function frozen<T extends object>(value: T): T {
  if (Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) {
    if (typeof inner === "object" && inner !== null && !(inner instanceof Uint8Array)) frozen(inner);
  }
  return Object.freeze(value);
}
