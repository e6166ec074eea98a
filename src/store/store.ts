/**
 * The store: the one interface between the service and a database.
 *
 * `commit` is atomic and durable: when it resolves, every write of the batch survives the process and the
 * power; when it rejects, the caller knows nothing and must read the truth again. Everything else reads.
 * Implementations: `lmdb/` and `mongo/`. One conformance suite (`test/store/conformance.ts`) holds for all.
 */

import type { LinkScans } from "../domain/analytics/link-scans.ts";
import type { AddTotals } from "../domain/analytics/tally.ts";
import type {
  AccountDoc,
  CodeDoc,
  CodeStatus,
  CodeType,
  Collection,
  Collections,
  Expiring,
  KeyDoc,
  ProjectDoc,
  ScanCount,
  ScanDayDoc,
  ScanHourDoc,
  UserDoc,
  Write,
} from "../domain/documents.ts";
import type { AtOnce } from "../runtime/at-once.ts";
import type { Millis } from "../runtime/clock.ts";
import type { LinkCount, Membership, ScanParts } from "./scan-parts.ts";

export type { Collection, Collections, Document, Write } from "../domain/documents.ts";

/** May be shared by all who read it. */
export interface Page<T> {
  items: readonly T[];
  /** True when at least one more item follows the last one of this page. */
  more: boolean;
}

/** A stretch of a list, newest first: at most `limit` items whose id is below `before`. */
export interface Stretch {
  before: string | null;
  limit: number;
}

/** From when on scans are kept by the hour, and from when on by the day: whole days, UTC. */
export interface KeptSince {
  hours: Millis;
  days: Millis;
}

export interface ClearedScans {
  /** Whose hours became days. */
  of: readonly string[];
  /** Where the next slice begins; null when all is done. */
  next: string | null;
}

/** A stretch of time, half open. */
export interface TimeStretch {
  from: Millis;
  to: Millis;
}

/** The same, and of whom: the place in the list of those that were asked for. */
export type AddTotalsAt = (place: number, ...totals: Parameters<AddTotals>) => void;

/** Scans of a stretch of time, in the order of those that were asked for. */
export interface ScanSums {
  people: Float64Array;
  robots: Float64Array;
}

export function noScans(owners: number): ScanSums {
  return { people: new Float64Array(owners), robots: new Float64Array(owners) };
}

export async function sumsByTotals(
  { scanTotals }: Pick<Store, "scanTotals">,
  of: readonly string[],
  stretch: TimeStretch,
): Promise<ScanSums> {
  const sums = noScans(of.length);
  await scanTotals(of, stretch, (place, _hour, people, robots) => {
    sums.people[place]! += people;
    sums.robots[place]! += robots;
  });
  return sums;
}

export type CodeOrder = "newest" | "oldest" | "label";

/**
 * Codes of an account, newest first, or in another order: then `before` is the place of the last code that was read (see
 * `placeAfter`) and the page is what follows it.
 */
export interface CodeQuery extends Stretch {
  order?: CodeOrder;
  account_id: string;
  project_id: string | null;
  /** Codes with any of these; an empty list matches nothing. */
  statuses: readonly CodeStatus[];
  type: CodeType | null;
  /** Case-insensitive substring of the label. */
  label_contains: string | null;
}

/** Where a page of codes in this order ends that ends with this code. */
export function placeAfter(order: CodeOrder, { id, label }: Pick<CodeDoc, "id" | "label">): string {
  return order === "label" ? `${label.toLowerCase()}\n${id}` : id;
}

export function placeOf(order: CodeOrder, place: string): { id: string; label: string } {
  if (order !== "label") return { id: place, label: "" };
  const at = place.lastIndexOf("\n");
  return { id: place.slice(at + 1), label: place.slice(0, Math.max(0, at)) };
}

/** Codes of an account or a project whatever their status, newest first. */
export interface CountedQuery extends Stretch {
  account_id: string;
  project_id: string | null;
}

/** A code, as little of it as there has to be read when all are passed. */
export interface CountedCode {
  id: string;
  slug: string;
  /** Stored scans: in no stretch of time can there be more. */
  count: number;
}

/** A write broke a uniqueness rule (slug, key hash, e-mail). Nothing of the batch was written. */
export class UniqueViolation extends Error {
  override name = "UniqueViolation";
}

/** The store did not do what was asked; it may do so later. */
export class StoreUnavailable extends Error {
  override name = "StoreUnavailable";
}

/** Nobody waits for the result any more; the caller's signal said so. */
export class Cancelled extends Error {
  override name = "Cancelled";
}

export interface Store {
  get<C extends Collection>(collection: C, id: string): Promise<Collections[C] | null>;

  /** What `get` would give of a code, when that takes no waiting; undefined when it has to be asked. */
  codeAtHand(id: string): CodeDoc | undefined;

  /** All or nothing, durable when it resolves. At most one write per document in a batch. */
  commit(writes: readonly Write[]): Promise<void>;

  keyByHash(hash: string): Promise<KeyDoc | null>;
  /** All keys of an account, revoked ones included, oldest first. */
  keysOf(accountId: string): Promise<KeyDoc[]>;
  /** At once where that takes no waiting, which may then throw at once. */
  codeBySlug(slug: string): AtOnce<CodeDoc | null>;
  /** Whether no code has it, for who makes one; at once as `codeBySlug`. */
  isSlugFree(slug: string): AtOnce<boolean>;
  userByEmail(email: string): Promise<UserDoc | null>;
  /** All users of an account, oldest first. */
  usersOf(accountId: string): Promise<UserDoc[]>;

  /**
   * Answered from an index: the cost follows the page, not the account, unless `label_contains` or another order is
   * asked for. Such a search ends with `Cancelled` soon after the signal.
   */
  listCodes(query: CodeQuery, signal?: AbortSignal): Promise<Page<CodeDoc>>;
  /** For rankings: codes that exist all along are found once, whatever happens to them between two pages. */
  countedCodes(query: CountedQuery): Promise<Page<CountedCode>>;
  listProjects(accountId: string, stretch: Stretch): Promise<Page<ProjectDoc>>;
  listAccounts(stretch: Stretch): Promise<Page<AccountDoc>>;

  /** Every document of a collection in the order of ids, in steps: for sweeps and copies. */
  walk<C extends Collection>(collection: C, after: string | null, limit: number): Promise<Collections[C][]>;

  /** Codes whose render is `pending` or `staging`, in the order of ids, after the given id. */
  pendingRenders(after: string | null, limit: number): Promise<CodeDoc[]>;

  /** The stored count of a link, 0 when it was never saved; at once where that is in memory. */
  scanCount(slug: string): AtOnce<number>;
  /** The same, told apart. */
  countedBy(slug: string): Promise<LinkCount>;
  /**
   * Counts and hours in one step, link by link as `link-scans.ts` says: of a link, its project and its account. A link
   * whose count is stored already is left alone, so a repeat changes nothing. At most one of a link.
   *
   * Whatever a member counted may be saved at any time. What counts towards a limit is saved by the owner, who decided
   * on it, and refused when it owns no more.
   */
  saveScans(scans: readonly LinkScans[], by?: "member" | "owner"): Promise<void>;
  /** The first hours of a link, a project or an account that begin in the stretch, oldest first. */
  scanHours(of: string, stretch: TimeStretch, limit: number): Promise<ScanHourDoc[]>;
  scanDays(of: string, stretch: TimeStretch, limit: number): Promise<ScanDayDoc[]>;
  /**
   * For whom totals are enough, of any number of links, projects and accounts: tells `add` of every hour of the stretch,
   * whether it is kept by itself or in a day. In no order, and of an hour perhaps several times. What it costs may
   * follow the length of the stretch, so that had better be one of the years that anything is kept.
   */
  scanTotals(of: readonly string[], stretch: TimeStretch, add: AddTotalsAt): Promise<void>;
  /** For whom the sums of these are enough. */
  scanSums(of: readonly string[], stretch: TimeStretch): Promise<ScanSums>;
  /** One slice of clearing away: hours that are not kept any more become days, days go. */
  clearScans(since: KeptSince, from: string | null): Promise<ClearedScans>;
  readonly parts: ScanParts;
  /** Null where one process uses the store, and no other ever will. */
  readonly membership: Membership | null;

  /** Removes what expired before the moment; the answer is how many there were. */
  removeExpired(collection: Expiring, before: Millis): Promise<number>;

  /** A random secret of this database, made once and then always the same. */
  secret(name: string): Promise<Uint8Array>;

  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface AdoptedScans {
  counts?: readonly ScanCount[];
  hours?: readonly ScanHourDoc[];
  days?: readonly ScanDayDoc[];
}

/** What a copy of a whole store needs beside the documents. Both implementations have it; the service does not. */
export interface WholeStore extends Store {
  /** Every count in the order of slugs, in steps. */
  walkScanCounts(after: string | null, limit: number): Promise<ScanCount[]>;
  /** Every hour, and every day, in the order of ids, in steps. */
  walkScanHours(after: string | null, limit: number): Promise<ScanHourDoc[]>;
  walkScanDays(after: string | null, limit: number): Promise<ScanDayDoc[]>;
  scanHour(id: string): Promise<ScanHourDoc | null>;
  scanDay(id: string): Promise<ScanDayDoc | null>;
  /** Takes them over as they are, where they have more scans than what is stored. */
  adoptScans(scans: AdoptedScans): Promise<void>;
  secrets(): Promise<Map<string, Uint8Array>>;
  /** Takes a secret over from another store. Refuses when there is a different one of that name. */
  adoptSecret(name: string, bytes: Uint8Array): Promise<void>;
}
