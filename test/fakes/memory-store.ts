/**
 * A store in memory with the behaviour of a real one, and faults on demand: it can be away, answer slowly, and
 * lose the answer to a write that it did.
 */
import type { CodeDoc, KeyDoc, ScanCount, ScanHourDoc } from "../../src/domain/documents.ts";
import {
  type CodeQuery,
  type Collection,
  type Collections,
  type Page,
  type Store,
  StoreUnavailable,
  type Stretch,
  UniqueViolation,
  type Write,
} from "../../src/store/store.ts";

type Tables = { [C in Collection]: Map<string, Collections[C]> };

export class MemoryStore implements Store {
  /** Every call rejects. */
  isAway = false;
  /** Writes happen, and then reject. */
  losesAnswers = false;
  /** Runs before every call is answered; a test may wait in it. */
  beforeAnswer: (method: string, argument: unknown) => Promise<void> | void = () => {};
  /** Calls by method. */
  readonly calls = new Map<string, number>();

  readonly #tables: Tables = {
    accounts: new Map(),
    keys: new Map(),
    projects: new Map(),
    codes: new Map(),
    answers: new Map(),
    files: new Map(),
  };
  readonly #bySlug = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #hours = new Map<string, ScanHourDoc>();
  readonly #secrets = new Map<string, Uint8Array>();

  async #call<T>(method: string, argument: unknown, run: () => T): Promise<T> {
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
    if (this.isAway) throw new StoreUnavailable("The store is away.");
    // The value is taken first: what is written while an answer is on its way is not in it.
    const value = structuredClone(run());
    await this.beforeAnswer(method, argument);
    if (this.isAway) throw new StoreUnavailable("The store is away.");
    return value;
  }

  async #write(method: string, argument: unknown, run: () => void): Promise<void> {
    await this.#call(method, argument, run);
    if (this.losesAnswers) throw new StoreUnavailable("The answer was lost.");
  }

  get<C extends Collection>(collection: C, id: string): Promise<Collections[C] | null> {
    return this.#call("get", { collection, id }, () => this.#tables[collection].get(id) ?? null);
  }

  commit(writes: readonly Write[]): Promise<void> {
    return this.#write("commit", writes, () => {
      for (const write of writes) this.#requireUnique(write, writes);
      for (const write of writes) this.#apply(structuredClone(write));
    });
  }

  #requireUnique(write: Write, writes: readonly Write[]): void {
    if (!("put" in write)) return;
    const taken = this.#holderOf(write);
    const freed = writes.some((other) => "remove" in other && other.remove === taken);
    if (taken !== undefined && taken !== write.put.id && !freed) throw new UniqueViolation("already stored");
  }

  /** The id of the document that has this one's slug or hash. */
  #holderOf(write: Write): string | undefined {
    if (!("put" in write)) return undefined;
    if (write.collection === "codes") return this.#bySlug.get(write.put.slug);
    if (write.collection !== "keys") return undefined;
    return [...this.#tables.keys.values()].find((key) => key.hash === write.put.hash)?.id;
  }

  #apply(write: Write): void {
    const table = this.#tables[write.collection] as Map<string, Collections[Collection]>;
    const id = "put" in write ? write.put.id : write.remove;
    if (write.collection === "codes") {
      const old = this.#tables.codes.get(id);
      if (old !== undefined) this.#bySlug.delete(old.slug);
      if ("put" in write) this.#bySlug.set(write.put.slug, id);
    }
    if ("put" in write) table.set(id, write.put);
    else table.delete(id);
  }

  keyByHash(hash: string): Promise<KeyDoc | null> {
    return this.#call("keyByHash", hash, () => {
      return [...this.#tables.keys.values()].find((key) => key.hash === hash) ?? null;
    });
  }

  keysOf(accountId: string): Promise<KeyDoc[]> {
    return this.#call("keysOf", accountId, () => {
      return sorted(this.#tables.keys).filter((key) => key.account_id === accountId);
    });
  }

  codeBySlug(slug: string): Promise<CodeDoc | null> {
    return this.#call("codeBySlug", slug, () => {
      const id = this.#bySlug.get(slug);
      return (id === undefined ? undefined : this.#tables.codes.get(id)) ?? null;
    });
  }

  listCodes(query: CodeQuery): Promise<Page<CodeDoc>> {
    const label = query.label_contains?.toLowerCase() ?? "";
    return this.#list("codes", query, (code) => {
      return (
        code.account_id === query.account_id &&
        (query.project_id === null || code.project_id === query.project_id) &&
        query.statuses.includes(code.status) &&
        (query.type === null || code.type === query.type) &&
        code.label.toLowerCase().includes(label)
      );
    });
  }

  listProjects(accountId: string, stretch: Stretch): Promise<Page<Collections["projects"]>> {
    return this.#list("projects", stretch, (project) => project.account_id === accountId);
  }

  listAccounts(stretch: Stretch): Promise<Page<Collections["accounts"]>> {
    return this.#list("accounts", stretch, () => true);
  }

  #list<C extends Collection>(
    collection: C,
    { before, limit }: Stretch,
    matches: (doc: Collections[C]) => boolean,
  ): Promise<Page<Collections[C]>> {
    return this.#call(`list ${collection}`, { before, limit }, () => {
      const found = sorted(this.#tables[collection])
        .reverse()
        .filter((doc) => (before === null || doc.id < before) && matches(doc));
      return { items: found.slice(0, limit), more: found.length > limit };
    });
  }

  walk<C extends Collection>(collection: C, after: string | null, limit: number): Promise<Collections[C][]> {
    return this.#call("walk", { collection, after }, () => {
      return sorted(this.#tables[collection])
        .filter((doc) => after === null || doc.id > after)
        .slice(0, limit);
    });
  }

  pendingRenders(after: string | null, limit: number): Promise<CodeDoc[]> {
    return this.#call("pendingRenders", after, () => {
      return sorted(this.#tables.codes)
        .filter(({ render }) => render.status === "pending" || render.status === "staging")
        .filter((code) => after === null || code.id > after)
        .slice(0, limit);
    });
  }

  scanCount(slug: string): Promise<number> {
    return this.#call("scanCount", slug, () => this.#counts.get(slug) ?? 0);
  }

  saveScans(counts: readonly ScanCount[], hours: readonly ScanHourDoc[]): Promise<void> {
    return this.#write("saveScans", { counts, hours }, () => {
      for (const { slug, count } of counts) {
        this.#counts.set(slug, Math.max(count, this.#counts.get(slug) ?? 0));
      }
      for (const hour of hours) {
        if (hour.total > (this.#hours.get(hour.id)?.total ?? -1))
          this.#hours.set(hour.id, structuredClone(hour));
      }
    });
  }

  scanHour(id: string): Promise<ScanHourDoc | null> {
    return this.#call("scanHour", id, () => this.#hours.get(id) ?? null);
  }

  removeExpiredAnswers(before: number): Promise<number> {
    return this.#call("removeExpiredAnswers", before, () => {
      const expired = [...this.#tables.answers.values()].filter((answer) => answer.expires_at < before);
      for (const { id } of expired) this.#tables.answers.delete(id);
      return expired.length;
    });
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

function sorted<T extends { id: string }>(table: Map<string, T>): T[] {
  return [...table.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
